/** All rows of a widget as a file. */
import type { exportWidgetRows } from '../../../contract/dashboards.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { msg } from '../../../contract/messages.ts'
import { cellOf, columnsAt } from '../../../contract/query-cells.ts'
import { csvHeader, csvRow } from '../../../contract/query-csv.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import type { Pieces } from '../../platform/http-pieces.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalidState } from '../../platform/refusal.ts'
import { type HeldResult, rowsOf } from '../queries/results.service.ts'
import type { RowsOfJob } from './dashboards.service.ts'
import { type WidgetSources, asWidget } from './widget-sources.ts'
import { scopeOf } from './widgets.service.ts'

export function createWidgetExportService(
  { clock }: Pick<Platform, 'clock'>,
  { sources }: { sources: Pick<WidgetSources, 'rows' | 'open'> },
) {
  return {
    /** CSV, made while it is read. */
    async rows(
      open: RowsOfJob,
      widget: Widget,
      { formula_guard = false, ...choice }: BodyOf<typeof exportWidgetRows>,
      userId: number,
      signal: AbortSignal,
    ): Promise<Pick<Pieces, 'pieces' | 'abandon'>> {
      if (widget.type !== 'table' && widget.type !== 'chart') {
        invalidState(msg('widget_has_no_data', { type: widget.type }))
      }
      const columns = widget.type === 'table' ? widget.columns : null
      const asking = { scope: scopeOf(open, choice, clock.now().getTime()) }
      const result = sources.open(open, widget.data, asking, userId)
      if (!result) {
        const { fields, rows } = await sources.rows(open, widget.data, { ...asking, whole: true })
        return { pieces: linesOf(fields, columns, eachOnce(rows), formula_guard) }
      }
      const abandon = () => result.end(msg('query_cancelled'))
      try {
        const { fields } = await result.start(signal)
        return { pieces: linesOf(fields, columns, allRows(result, signal), formula_guard), abandon }
      } catch (error) {
        abandon()
        return asWidget(error)
      }
    },
  }
}
export type WidgetExportService = ReturnType<typeof createWidgetExportService>

async function* eachOnce<T>(value: T): AsyncGenerator<T> {
  yield value
}

async function* linesOf(
  fields: readonly QueryField[],
  columns: readonly string[] | null,
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
  guard: boolean,
): AsyncGenerator<string> {
  const at = columnsAt(fields, columns)
  const end = '\r\n'
  yield (
    csvHeader(
      at.map((index) => fields[index]!.name),
      guard,
    ) + end
  )
  for await (const rows of batches) {
    const lineOf = (row: readonly unknown[]) =>
      csvRow(
        at.map((index) => cellOf(row[index], fields[index]!.type)),
        guard,
      )
    yield rows.map((row) => lineOf(row) + end).join('')
  }
}

/** Of a chunk each; values that are too long for a page are read whole. */
async function* allRows(result: HeldResult, signal: AbortSignal): AsyncGenerator<unknown[][]> {
  for (let chunk = await result.first(signal); chunk; chunk = await result.first(signal)) {
    const { rows, cut } = rowsOf(chunk, chunk.offset, chunk.rows)
    await result.drop(chunk) // its long values are on disk then
    for (const { row, field } of cut) {
      const pieces: Buffer[] = []
      for await (const piece of result.cell(row, field) ?? []) pieces.push(piece)
      const own = rows[row - chunk.offset]
      if (own && pieces.length > 0) own[field] = JSON.parse(Buffer.concat(pieces).toString()) as unknown
    }
    yield rows
  }
}
