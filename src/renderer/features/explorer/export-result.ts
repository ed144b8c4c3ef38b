import { exportQuery, exportTypes } from '../../../contract/queries.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { openStream } from '../../api/client.ts'
import { downloadBlob } from '../../ui/download.ts'

export type ExportOptions = BodyOf<typeof exportQuery>
export const fileEndings = { csv: 'csv', json: 'json', ndjson: 'ndjson', parquet: 'parquet', xlsx: 'xlsx' } as const

/** Chromium's own dialog, which browsers without it lack. */
type Picker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>

/** `in/orders.csv` exported as Parquet is `orders.parquet`; what file systems refuse in names becomes `_`. */
export function exportName(name: string, format: ExportOptions['format']): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const stem = last
    .replace(/\.(csv|tsv|txt|jsonl?|ndjson|parquet|xls[xm]?)(\.gz|\.zst)?$/i, '')
    // oxlint-disable-next-line no-control-regex -- file systems refuse them
    .replace(/[\u0000-\u001f<>:"/\\|?*]+/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 120)
  return `${stem === '' ? 'result' : stem}.${fileEndings[format]}`
}

const fileType = (format: ExportOptions['format']) => ({
  description: format.toUpperCase(),
  accept: { [exportTypes[format].split(';')[0] ?? '']: [`.${fileEndings[format]}`] },
})

const isLeft = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/**
 * Writes a complete result into a file, as it arrives where the browser can; memory stays flat then. False: the person chose no file.
 * Throws when it breaks off: a partial file is not kept.
 */
export async function exportResult(
  { connectorId, queryId, name }: { connectorId: number; queryId: string; name: string },
  options: ExportOptions,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const fileName = exportName(name, options.format)
  const picker = (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker
  let target: WritableStream<Uint8Array> | null = null
  if (picker) {
    try {
      target = await (await picker({ suggestedName: fileName, types: [fileType(options.format)] })).createWritable()
    } catch (error) {
      if (isLeft(error)) return false
      throw error
    }
  }
  const response = await openStream(exportQuery, { params: { id: connectorId, queryId }, body: options, signal }).catch(
    async (error: unknown) => {
      await target?.abort()
      throw error
    },
  )
  let bytes = 0
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length
        onBytes(bytes)
        controller.enqueue(piece)
      },
    }),
  )
  if (target && counted) await counted.pipeTo(target, { signal })
  else downloadBlob(fileName, await new Response(counted ?? null).blob())
  return true
}
