import { shortened } from '../../language/shortened.ts'
import type { Column } from '../../contract/common.ts'
import type { RejectEntry } from '../../contract/executor-protocol.ts'
import type { Message } from '../../language/message.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { RunIo } from '../worker-protocol.ts'
import type { RejectedRow } from './lane.types.ts'
import type { DuckSession } from './duckdb.ts'
import { EngineError } from './errors.ts'
import { shownRow } from './json-values.ts'
import { redactDeep } from '../redact.ts'
import { messageIn } from './sql-reasons.ts'
import { name } from './sql-text.ts'
import type { StepReport } from './step-report.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** As it is reported: within the lengths of the protocol. */
export function rejectReason({ code, params, message }: Message): Omit<RejectEntry, 'step' | 'row'> {
  return { reason: shortened(message, 4000), code, params: redactDeep(params, (text) => shortened(text, 1000)) }
}

/** What a run rejects: sent on in batches, counted, and held against `dead_letter.max_ratio`. */
export interface RejectLog {
  /** A query of the reason and the row's columns; the number of rows. What is no stage, as an input, comes with a key of its own. */
  query(stage: number | string, sql: string): Promise<number>
  entries(stage: number | string, entries: readonly RejectedRow[]): Promise<void>
  total(): number
  /** Whether more are kept, not only counted. */
  hasRoom(): boolean
  /** Throws when more was rejected than the task allows, given the rows that were read. `written`: some rows have reached the target. */
  check(rowsRead: number | null, written?: boolean): void
}

const batchSize = 500
const longestRow = 16_000
const shortestCut = 500

export function createRejectLog(
  session: DuckSession,
  io: Pick<RunIo, 'reject' | 'keptRejects' | 'log'>,
  report: StepReport,
  task: Pick<PipelineTask, 'dead_letter'>,
): RejectLog {
  const most = io.keptRejects ?? Infinity
  let total = 0
  /** Those of the run's own rows: what inputs reject is no share of them. */
  let ofStream = 0
  const keyOf = (stage: number | string): string =>
    typeof stage === 'string' ? stage : (report.steps[stage]?.key ?? 'source')
  const count = (stage: number | string, rows: number): void => {
    if (total <= most && total + rows > most) {
      io.log(
        'warn',
        `More than ${most.toLocaleString('en')} rows were rejected: the first ones are kept, the others are only counted`,
        keyOf(stage),
      )
    }
    total += rows
    if (typeof stage === 'number') {
      ofStream += rows
      report.rejected(stage, rows)
    }
  }
  const send = async (stage: number | string, entries: readonly RejectedRow[]): Promise<void> => {
    const room = Math.max(0, most - total)
    const step = keyOf(stage)
    count(stage, entries.length)
    for (let at = 0; at < Math.min(room, entries.length); at += batchSize) {
      const batch = entries.slice(at, Math.min(at + batchSize, room))
      await io.reject(batch.map((entry) => ({ step, ...rejectReason(entry.reason), ...kept(entry, stage) })))
    }
  }
  return {
    async query(stage, sql) {
      let found = 0
      const described = await session.describe(sql)
      const columns = described.map((column) => column.name)
      const readable = withoutProto(sql, described)
      const form = readable === sql ? { form: 'values' as const } : {}
      for await (const chunk of session.chunks(readable)) {
        found += chunk.rowCount
        if (total >= most) {
          count(stage, chunk.rowCount)
          continue
        }
        const entries = chunk.getRows().map((values) => {
          const [reason, ...row] = shownRow(values)
          return {
            reason: messageIn(reason),
            row: Object.fromEntries(row.map((value, index) => [columns[index + 1], value])),
            ...form,
          }
        })
        await send(stage, entries)
      }
      return found
    },
    entries: send,
    total: () => total,
    hasRoom: () => total < most,
    check(rowsRead, written = false) {
      const { max_ratio: limit } = task.dead_letter
      // One row that is read may become many: then more can be rejected than was read.
      if (limit >= 1 || ofStream === 0 || rowsRead === null || rowsRead === 0 || ofStream / rowsRead <= limit) return
      const allowed = Number((100 * limit).toPrecision(15))
      const share = `${percentAbove(allowed, (100 * ofStream) / rowsRead)} %`
      throw new EngineError(
        'TOO_MANY_REJECTS',
        runMessage('too_many_rejects', { rejected: ofStream, rows: rowsRead, share, limit: allowed }),
        {
          hint: runMessage(written ? 'rejects_written' : 'rejects_nothing_written'),
        },
      )
    },
  }
}

/** With one place behind the point, or as many as show that it is more than what is allowed. */
function percentAbove(allowed: number, percent: number): string {
  let places = 1
  while (places < mostPlaces && Number(percent.toFixed(places)) <= allowed) places++
  return percent.toFixed(places)
}

/** Of `toFixed`, beyond what floating point has. */
const mostPlaces = 20

/** The driver loses fields of structures that are called so: such values are kept as JSON. */
function withoutProto(sql: string, columns: readonly Column[]): string {
  const odd = columns.filter(({ type }) => type.includes('__proto__'))
  if (odd.length === 0) return sql
  const replaced = odd.map((column) => `to_json(${name(column.name)}) AS ${name(column.name)}`)
  return `SELECT * REPLACE (${replaced.join(', ')}) FROM (${sql})`
}

/** The row as it is kept. Rows of inputs, values before a source has given them their types, and what was cut can't be read once more. */
function kept({ row, form }: RejectedRow, stage: number | string): Pick<RejectEntry, 'row' | 'form'> {
  const shown = capped(row)
  const isWhole = shown === row && !Object.values(row).some(isCut) && !Object.hasOwn(row, '__proto__')
  const entersAt = form === 'values' ? 1 : 0
  const isReadable = form !== undefined && typeof stage === 'number' && stage >= entersAt && isWhole
  return { row: shown, ...(isReadable ? { form } : {}) }
}

/** Whether `shortened` may have cut it, at any of the lengths that rows are cut at. */
function isCut(value: unknown): boolean {
  if (typeof value === 'string') return value.length >= shortestCut && value.endsWith('…')
  return typeof value === 'object' && value !== null && Object.values(value).some(isCut)
}

/** A row that is not too long to be kept: its longest values are cut. */
function capped(row: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(row).length <= longestRow) return row
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const written = typeof value === 'string' ? value : JSON.stringify(value)
      return [column, written.length <= shortestCut ? value : shortened(written, shortestCut)]
    }),
  )
}
