import { listOf, object, optional, required, withDefault } from '../../shape/collections.ts'
import { record } from '../../shape/record.ts'
import { reportType } from '../../shape/report-value.ts'
import { choice } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { expectColumn, expectDistinct, reportExisting } from '../column-flow.ts'
import { columnName, sameColumn } from '../column-types.ts'
import { defineStep, type FlowReport, type KnownColumns } from '../definitions.ts'
import { inputReference } from '../inputs.ts'
import type { LookupStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const pairs = record(columnName, { description: 'Column of the stream → column of the input.', min: 1, max: 20 })
const sameNames = listOf(columnName, {
  description: 'Columns of the same name on both sides.',
  min: 1,
  max: 20,
  unique: 'columns',
})

const on: Shape<Record<string, string>> = {
  schema: {
    description: 'Columns whose values must be equal. NULL matches nothing.',
    anyOf: [columnName.schema, sameNames.schema, { ...pairs.schema, propertyNames: { 'x-complete': 'column' } }],
    examples: ['country', ['country', 'year'], { country_code: 'code' }],
  },
  read(node, path, context) {
    if (node.kind === 'map') return pairs.read(node, path, context)
    if (node.kind === 'list') return toPairs(sameNames.read(node, path, context))
    if (node.value === null || typeof node.value !== 'string')
      return reportType(node, path, context, msg('a_list_or_map_of_columns'))
    const name = columnName.read(node, path, context)
    return name === undefined ? undefined : { [name]: name }
  },
}

const newNames = record(columnName, { description: 'New column → column of the input.', min: 1 })
const taken = listOf(columnName, { description: 'Columns of the input.', min: 1, unique: 'columns' })

const columns: Shape<Record<string, string>> = {
  schema: {
    description: 'Columns to add from the input; by default all except those in `on`.',
    anyOf: [taken.schema, newNames.schema],
    examples: [['name'], { country_name: 'name' }],
  },
  read(node, path, context) {
    if (node.kind === 'list') return toPairs(taken.read(node, path, context))
    if (node.kind === 'map') return newNames.read(node, path, context)
    return reportType(node, path, context, msg('a_list_of_columns_or_map'))
  },
}

function toPairs(names: string[] | undefined): Record<string, string> | undefined {
  return names && Object.fromEntries(names.map((name) => [name, name]))
}

const shape = object(
  {
    input: required({ ...inputReference, schema: { ...inputReference.schema, examples: ['countries'] } }),
    on: required(on),
    columns: optional(columns),
    on_missing: withDefault(
      choice('What happens to a row without a match.', {
        null: 'The row is kept, with NULLs.',
        drop: 'The row is dropped and counted.',
        quarantine: 'The row goes to the run’s rejects.',
        fail: 'The run fails; the error contains the values.',
      }),
      'null',
    ),
    on_many: withDefault(
      choice('What happens to a row with several matches.', {
        first: 'The first match read is used.',
        fail: 'The run fails; the error contains the values.',
      }),
      'first',
    ),
  },
  {
    noun: msg('named', { name: 'lookup' }),
    description:
      'Adds columns from one of the task’s `inputs` where values are equal. Each row stays one row, and the order is kept.',
  },
)

export const lookupStep = defineStep<LookupStep>({
  kind: 'lookup',
  shape: {
    schema: {
      ...shape.schema,
      examples: [{ input: 'countries', on: { country_code: 'code' }, columns: { country_name: 'name' } }],
    },
    read(node, path, context) {
      const values = shape.read(node, path, context)
      return values && { kind: 'lookup', ...values, columns: values.columns ?? null }
    },
  },
  flow(step, known, report, inputs) {
    const input = Object.hasOwn(inputs, step.input) ? (inputs[step.input] ?? null) : null
    checkColumns(step, known, input, report)
    const added = addedBy(step, input)
    const places = (column: string): (string | number)[][] => [
      ['lookup', 'columns', column],
      ['lookup', 'columns', Object.keys(step.columns ?? {}).indexOf(column)],
      ['lookup', 'input'],
    ]
    expectDistinct(added ?? [], places, report)
    for (const column of added ?? []) {
      if (known?.some((other) => sameColumn(other, column))) reportExisting(column, places(column), report)
    }
    return known && added && [...known, ...added]
  },
  resolve: (step) => step,
})

function checkColumns(step: LookupStep, known: KnownColumns, input: KnownColumns, report: FlowReport): void {
  for (const [index, [from, to]] of Object.entries(step.on).entries()) {
    const places = [
      ['lookup', 'on', from],
      ['lookup', 'on', index],
      ['lookup', 'on'],
    ]
    expectColumn(from, known, places, report)
    expectColumn(to, input, places, report, step.input)
  }
  for (const [index, [added, from]] of Object.entries(step.columns ?? {}).entries()) {
    expectColumn(
      from,
      input,
      [
        ['lookup', 'columns', added],
        ['lookup', 'columns', index],
      ],
      report,
      step.input,
    )
  }
}

function addedBy(step: LookupStep, input: KnownColumns): KnownColumns {
  if (step.columns) return Object.keys(step.columns)
  const matched = Object.values(step.on)
  return input && input.filter((column) => !matched.some((other) => sameColumn(other, column)))
}
