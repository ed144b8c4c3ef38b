import { exportQuery, exportTypes } from '../../../contract/queries.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { openStream } from '../../api/client.ts'
import { fileStem } from '../../ui/download.ts'
import { type SavedType, saveStream } from '../../ui/save-stream.ts'

export type ExportOptions = BodyOf<typeof exportQuery>
export const fileEndings = { csv: 'csv', json: 'json', ndjson: 'ndjson', parquet: 'parquet', xlsx: 'xlsx' } as const

/** `in/orders.csv` exported as Parquet is `orders.parquet`. */
export function exportName(name: string, format: ExportOptions['format']): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const stem = fileStem(last.replace(/\.(csv|tsv|txt|jsonl?|ndjson|parquet|xls[xm]?)(\.gz|\.zst)?$/i, ''))
  return `${stem === '' ? 'result' : stem}.${fileEndings[format]}`
}

const fileType = (format: ExportOptions['format']): SavedType => ({
  description: format.toUpperCase(),
  accept: { [exportTypes[format].split(';')[0] ?? '']: [`.${fileEndings[format]}`] },
})

/** Writes a complete result into a file, see `saveStream`. */
export function exportResult(
  { connectorId, queryId, name }: { connectorId: number; queryId: string; name: string },
  options: ExportOptions,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  return saveStream(
    { name: exportName(name, options.format), type: fileType(options.format) },
    () => openStream(exportQuery, { params: { id: connectorId, queryId }, body: options, signal }),
    onBytes,
    signal,
  )
}
