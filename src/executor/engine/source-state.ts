import { shortened } from '../../language/shortened.ts'
import type { SourceState } from '../../contract/executor-protocol.ts'
import { exactDecimal, exactInteger, laterCursor, type CursorValue } from '../../language/task/cursor-value.ts'
import { sameColumn } from '../../language/task/column-types.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { CursorSpec } from '../../language/task/sources/source.types.ts'
import { EngineError, fewNames } from './errors.ts'
import type { CursorFilter, StageContext } from './lane.types.ts'
import { name } from './sql-text.ts'
import type { RowStream } from './stream.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** What a source remembers from run to run: `state.cursor`, and what the source itself saves. */
export interface SourceMemory {
  /** What an earlier run has left; null: nothing, or `full_refresh`. */
  readonly saved: SourceState | null
  /** What tables are filtered by, without the task's author having to say so. */
  readonly filter: CursorFilter | null
  /** The column that is tracked. */
  readonly spec: CursorSpec | null
  /** For the source's own part. */
  save(state: SourceState): void
  /** Finds the next cursor among the rows that were read. */
  track(stream: RowStream, context: StageContext): Promise<RowStream>
  /** To be kept once the target has committed; null: nothing. */
  result(): SourceState | null
}

/** `start`: where reading starts, after the lag. */
export function rememberSource(
  { state }: Pick<PipelineTask, 'state'>,
  saved: SourceState | null,
  start: CursorValue | null,
): SourceMemory {
  const spec = state.cursor
  let own: SourceState | null = null
  let cursor = saved?.cursor ?? null
  return {
    saved,
    spec,
    filter: spec === null || start === null ? null : { field: spec.field, type: spec.type, value: start },
    save(next) {
      own = { ...own, ...next }
    },
    async track(stream, context) {
      if (spec === null) return stream
      // What is counted lies in the session already, or is read again as it was; the rest is put down, to be read once.
      const counted = stream.rows !== null && stream.open.length === 0
      const rows = counted ? stream : await context.materialise(stream)
      const found = await greatest(spec, rows, context)
      // A source whose greatest rows were removed does not go back.
      if (found !== null) cursor = cursor === null ? found : laterCursor(spec.type, cursor, found)
      context.log('info', `Cursor \`${spec.field}\`: from ${cursorText(start)} to ${cursorText(cursor)}`)
      return { ...rows, ...(stream.places ? { places: stream.places } : {}) }
    },
    result() {
      const kept = { ...own, ...(cursor === null ? {} : { cursor }) }
      return Object.keys(kept).length === 0 ? null : kept
    },
  }
}

function cursorText(value: CursorValue | null): string {
  return value === null ? 'the beginning' : String(value)
}

const numbers = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/
const fitting: Record<CursorSpec['type'], RegExp> = {
  integer: numbers,
  number: new RegExp(`${numbers.source}|^(DOUBLE|FLOAT|DECIMAL\\(.*\\))$`),
  string: /^VARCHAR$/,
  date: /^DATE$/,
  datetime: /^TIMESTAMP(_S|_MS|_NS)?$|^TIMESTAMP WITH TIME ZONE$/,
}

/** The greatest value in full precision; null: there is none. */
async function greatest(
  { field, type }: CursorSpec,
  rows: RowStream,
  { session, warn }: StageContext,
): Promise<CursorValue | null> {
  const column = rows.columns.find((candidate) => sameColumn(candidate.name, field))
  if (!column) {
    throw new EngineError('COLUMN_NOT_FOUND', runMessage('cursor_column_missing', { key: field }), {
      hint: runMessage('cursor_column_missing_fix', {
        columns: fewNames(rows.columns.map((candidate) => candidate.name)),
      }),
    })
  }
  if (!fitting[type].test(column.type)) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('cursor_type_differs', { key: field, type, actual: column.type }),
      { hint: hintFor(column.type) },
    )
  }
  // By bytes and in full, whatever the column's collation and width: the rows are found so, too.
  const value = `${name(column.name)}${type === 'string' ? ' COLLATE C' : column.type === 'FLOAT' ? '::DOUBLE' : ''}`
  const [row] = await session.rows(
    `SELECT ${written(type, column.type, `max(${value}) FILTER (${finite(column.type, value)})`)}, count(*) FILTER (${value} IS NULL), count(*) FILTER (NOT ${finite(column.type, value)}) FROM (${rows.sql})`,
  )
  const nulls = Number(row?.[1] ?? 0)
  const odd = Number(row?.[2] ?? 0)
  if (nulls > 0)
    warn(
      `${nulls.toLocaleString('en')} rows have no \`${field}\`: a later run only reads them again if its source gives them`,
    )
  if (odd > 0)
    warn(
      `${odd.toLocaleString('en')} rows have an infinite \`${field}\`, or none that is a number: the cursor leaves them out`,
    )
  const found = readBack(type, row?.[0])
  if (found !== null) refuseUnusable(type, column.name, found)
  return found
}

/** As long as a state may be. */
const longestCursor = 4000

/** What could be saved, but not be gone on from. */
function refuseUnusable(type: CursorSpec['type'], column: string, found: CursorValue): void {
  const text = String(found)
  const timed = type === 'date' || type === 'datetime'
  if (timed ? /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) : text.length <= longestCursor) return
  const why = timed ? runMessage('outside_years') : runMessage('longer_than', { most: longestCursor })
  throw new EngineError(
    'VALUE_INVALID',
    runMessage('cursor_value_invalid', { column, text: shortened(text, 60), why }),
    {
      hint: runMessage('cursor_value_invalid_fix'),
    },
  )
}

function hintFor(type: string): Message {
  const fits = Object.entries(fitting).find(([, pattern]) => pattern.test(type))
  return fits ? runMessage('cursor_type_fix', { type: fits[0] }) : runMessage('cursor_type_other_fix')
}

function finite(stored: string, value: string): string {
  return /^(DOUBLE|FLOAT|DATE|TIMESTAMP)/.test(stored)
    ? `coalesce(isfinite(${stored === 'TIMESTAMP_NS' ? `CAST(${value} AS TIMESTAMP)` : value}), true)`
    : 'true'
}

/** As text with every digit. */
function written(type: CursorSpec['type'], stored: string, value: string): string {
  if (type !== 'datetime') return `CAST(${value} AS VARCHAR)`
  const utc = stored === 'TIMESTAMP WITH TIME ZONE' ? `(${value}) AT TIME ZONE 'UTC'` : `CAST(${value} AS TIMESTAMP)`
  return `strftime(${utc}, '%Y-%m-%dT%H:%M:%S.%fZ')`
}

function readBack(type: CursorSpec['type'], found: unknown): CursorValue | null {
  if (typeof found !== 'string') return null
  if (type === 'integer') return exactInteger(BigInt(found))
  if (type !== 'number') return found
  // A decimal with more digits than a double holds stays text.
  return /e/i.test(found) ? Number(found) : exactDecimal(found)
}
