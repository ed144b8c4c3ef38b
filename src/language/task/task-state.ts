import type { ScopeDescription } from '../expressions/references.ts'
import { parseDuration } from '../schedule/duration.ts'
import { object, optional, required } from '../shape/collections.ts'
import { jsonValue } from '../shape/json-value.ts'
import { reportType } from '../shape/report-value.ts'
import { choice, refuseTemplate } from '../shape/scalars.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap } from '../yaml/yaml-tree.ts'
import { checkInitialValue } from './cursor-value.ts'
import { holdsExpression } from './arguments.ts'
import { columnName } from './column-types.ts'
import type { CursorSpec } from './sources/source.types.ts'
import { msg } from '../messages.ts'

const types = {
  integer: 'A whole number, such as from a sequence.',
  number: 'A number.',
  string: 'Text, compared byte by byte; later values must sort after earlier ones.',
  date: 'A date.',
  datetime:
    'A date and time, to the microsecond; UTC if it has no offset. SQLite stores timestamps as text: in a query, compare them with `datetime(changed) >= datetime(:from)`.',
} as const

/** A length of time or an amount, whatever the type; what fits is checked with the type. */
const lagShape: Shape<string | number> = {
  schema: {
    description:
      'How far before the cursor each run starts, for rows that are committed later than others with greater values: a duration for dates and timestamps, an amount for numbers. These rows are read again, so the target should use `upsert`.',
    examples: ['5m', 100],
    anyOf: [{ type: 'string' }, { type: 'number', minimum: 0 }],
    default: 0,
  },
  read(node, path, context) {
    if (!refuseTemplate(node, path, context)) return undefined
    if (node.kind === 'scalar' && (typeof node.value === 'string' || typeof node.value === 'number')) return node.value
    return reportType(node, path, context, msg('a_duration_or_number'))
  },
}

const cursorFields = object(
  {
    field: required({
      ...columnName,
      schema: {
        ...columnName.schema,
        description:
          'Column of the source whose greatest value is kept. Its values should only grow: a modification time, or an increasing number.',
      },
    }),
    type: required(choice('Type of the column.', types)),
    initial: optional(
      jsonValue({
        description:
          'Where the first run, and every run with `full_refresh`, starts. By default `state.cursor` is null in these runs, and a table is read completely.',
        template: true,
        examples: ['2024-01-01T00:00:00Z', '${{ args.since }}'],
      }),
    ),
    lag: optional(lagShape),
  },
  {
    noun: msg('named', { name: 'cursor' }),
    description:
      'Reads only new rows. `${{ state.cursor }}` is the greatest value of `field` so far, kept per task and connector, and saved when the target has committed. It is inclusive: rows at the cursor are read again. A source with `sql: {table: …}` is filtered automatically; others use it in their query.',
  },
)

const cursor: Shape<CursorSpec> = {
  schema: { ...cursorFields.schema, examples: [{ field: 'updated_at', type: 'datetime', lag: '5m' }] },
  read(node, path, context) {
    const values = cursorFields.read(node, path, context)
    if (!values || node.kind !== 'map') return undefined
    const { field, type, initial = null } = values
    if (!checkInitial(type, initial, node, path, context)) return undefined
    const lag = readLag(type, values.lag, node, path, context)
    return lag === undefined ? undefined : { field, type, initial, lag }
  },
}

function checkInitial(
  type: CursorSpec['type'],
  initial: CursorSpec['initial'],
  node: YamlMap,
  path: string,
  context: ReadContext,
): boolean {
  if (initial === null || holdsExpression(initial)) return true
  const checked = checkInitialValue(type, initial)
  if (checked.ok) return true
  context.report({
    code: 'invalid_value',
    message: msg('initial_invalid', { problem: checked.problem.message }),
    hint: msg('correct_or_change_type'),
    path: joinPath(path, 'initial'),
    at: entryOf(node, 'initial')?.value.mark ?? node.mark,
  })
  return false
}

function readLag(
  type: CursorSpec['type'],
  lag: string | number | undefined,
  node: YamlMap,
  path: string,
  context: ReadContext,
): number | undefined {
  if (lag === undefined || lag === 0) return 0
  const timed = type === 'date' || type === 'datetime'
  const value = timed ? (typeof lag === 'string' ? parseDuration(lag) : null) : typeof lag === 'number' ? lag : null
  const whole = type !== 'integer' || Number.isSafeInteger(value)
  if (type !== 'string' && value !== null && value >= 0 && Number.isFinite(value) && whole) return value
  const wanted = timed
    ? msg('a_length_of_time')
    : type === 'integer'
      ? msg('whole_number_from_zero')
      : msg('number_from_zero')
  context.report({
    code: type === 'string' ? 'option_not_applicable' : 'invalid_value',
    message: type === 'string' ? msg('lag_of_text') : msg('lag_invalid', { wanted, type }),
    hint: type === 'string' ? msg('remove_it') : timed ? msg('write_lag_duration') : msg('write_lag_number'),
    path: joinPath(path, 'lag'),
    at: entryOf(node, 'lag')?.value.mark ?? node.mark,
  })
  return undefined
}

export const stateShape = object(
  { cursor: optional(cursor) },
  {
    noun: msg('named', { name: 'state' }),
    description: 'State that is kept from run to run. A run with `full_refresh` ignores it.',
  },
)

/** What sources may refer to where a cursor is declared. */
export const stateScope: ScopeDescription = {
  state: {
    description: 'State that is kept from run to run.',
    fields: { cursor: 'Where reading starts: the greatest value so far minus `lag`, or `initial`, or null.' },
  },
}
