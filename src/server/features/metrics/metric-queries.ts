/** Runs the queries of custom metrics, in executors, when they are due. */
import { msg } from '../../../contract/messages.ts'
import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import { type KeptError, keptError } from '../../platform/kept-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { refusalKept } from '../../platform/refusal-kept.ts'
import { Refusal, invalid } from '../../platform/refusal.ts'
import type { QueriesService } from '../queries/queries.service.ts'
import type { QuerySource } from './custom-metrics.rules.ts'
import type { CustomMetricRow, CustomMetricsStore } from './custom-metrics.store.ts'

interface Dependencies {
  custom: CustomMetricsStore
  queries: Pick<QueriesService, 'few'>
  /** In a transaction. */
  onValue(row: CustomMetricRow, value: number, at: string): void
  /** In a transaction: it gave none. */
  onFailure(row: CustomMetricRow, error: KeptError): void
}

/** Executors hold few results at a time, and people want theirs. */
const mostAtOnce = 2
const timeoutMs = 60_000
const path = 'body.query'

export function createMetricQueries(platform: Platform, { custom, queries, onValue, onFailure }: Dependencies) {
  const { store, clock, logger, draining } = platform
  const underWay = new Map<number, Promise<void>>()

  /** The number that a query returns. Refuses where it is none; null: NULL. */
  async function ask({ connector_id, query }: Pick<QuerySource, 'connector_id' | 'query'>, signal: AbortSignal) {
    const late = AbortSignal.timeout(timeoutMs)
    const { fields, rows } = await queries
      .few(connector_id, query, 2, AbortSignal.any([signal, late]))
      .catch((error: unknown) => {
        if (!late.aborted || signal.aborted) throw error
        throw new Refusal('TIMEOUT', msg('no_answer_within', { seconds: timeoutMs / 1000 }))
      })
    const [row] = rows
    if (!row) invalid([{ path, ...msg('metric_query_no_row') }])
    if (rows.length > 1) invalid([{ path, ...msg('metric_query_rows') }])
    const cells = cellsOf(fields, row)
    const [cell] = cells
    if (!cell || cells.length > 1) invalid([{ path, ...msg('metric_query_columns', { columns: cells.length }) }])
    const value = numberOf(cell.value)
    // Without the value: the metric's error is kept, and read by more people than the rows.
    if (value === undefined) {
      invalid([{ path, ...msg('metric_query_not_number', { column: cell.name, type: fields[0]!.type }) }])
    }
    return { value, field: cell.name || null }
  }

  async function run(row: CustomMetricRow, source: QuerySource): Promise<void> {
    let value: number | null
    try {
      value = (await ask(source, draining)).value
    } catch (error) {
      if (draining.aborted) return
      note(row, (current) => onFailure(current, reasonOf(error)))
      return
    }
    note(row, (current, at) => {
      if (value !== null) onValue(current, value, at)
    })
  }
  function reasonOf(error: unknown): KeptError {
    if (error instanceof Refusal) {
      const [first] = error.details ?? []
      return first?.code
        ? keptError({ code: first.code, params: first.params ?? {}, message: first.message })
        : refusalKept(error)
    }
    throw error
  }
  /** Only for what is asked still: settings may have changed meanwhile. */
  function note(row: CustomMetricRow, work: (current: CustomMetricRow, at: string) => void): void {
    store.transaction(() => {
      const current = custom.get(row.id)
      if (!current || JSON.stringify(current.definition.source) !== JSON.stringify(row.definition.source)) return
      const at = clock.iso()
      custom.noteCheck(row.id, at)
      work(current, at)
    })
  }

  function isDue({ checked_at }: CustomMetricRow, { every_minutes }: QuerySource, now: number): boolean {
    if (checked_at === null) return true
    const since = now - Date.parse(checked_at)
    // Less than nothing: the clock was put back.
    return since < 0 || since >= every_minutes * 60_000
  }

  return {
    ask,
    /** Starts what is due, as far as there is room; more has its turn at the next call. */
    startDue(): void {
      const now = clock.now().getTime()
      // The longest unasked first: otherwise queries that are slow, and due again, would never let the last ones have a turn.
      const waiting = custom.ofKind('query').toSorted((a, b) => (a.checked_at ?? '').localeCompare(b.checked_at ?? ''))
      for (const row of waiting) {
        const { source } = row.definition
        if (underWay.size >= mostAtOnce || draining.aborted) return
        if (source.kind !== 'query' || underWay.has(row.id) || !isDue(row, source, now)) continue
        const work = run(row, source)
          .catch((error: unknown) => logger.error({ err: error, metric: row.name }, 'The query of a metric'))
          .finally(() => underWay.delete(row.id))
        underWay.set(row.id, work)
      }
    },
    /** Resolves when none is under way. */
    ended: async (): Promise<void> => void (await Promise.all(underWay.values())),
  }
}

/** The cells of a row. Those of a document are its fields, without the `_id` that a group of one has. */
function cellsOf(fields: readonly QueryField[], row: readonly unknown[]): { name: string; value: WireValue }[] {
  // Values come in the forms of query-values.ts.
  const cells = fields.map(({ name }, at) => ({ name, value: (row[at] ?? null) as WireValue }))
  const [only] = cells
  if (fields[0]?.type !== 'document' || cells.length > 1 || typeof only?.value !== 'object' || only.value === null) {
    return cells
  }
  return Object.entries(only.value).flatMap(([name, value]) =>
    name === '_id' ? [] : [{ name, value: value as WireValue }],
  )
}

/** undefined: it is no number. Decimals and large integers come as text. */
export function numberOf(value: WireValue): number | null | undefined {
  if (value === null) return null
  if (typeof value === 'object') {
    const [[form, inner] = []] = Object.entries(value)
    // `{"decimal": "1.5"}` where types differ by row; `{"$numberLong": "5"}` in documents.
    return form !== undefined && numberForms.has(form) ? numberOf(inner as WireValue) : undefined
  }
  if (typeof value === 'string' && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return undefined
  const number = typeof value === 'boolean' ? NaN : Number(value)
  return Number.isFinite(number) ? number : undefined
}
const numberForms = new Set([
  'integer',
  'bigint',
  'decimal',
  'double',
  '$numberInt',
  '$numberLong',
  '$numberDouble',
  '$numberDecimal',
])
