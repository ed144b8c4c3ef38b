import { downloadBlob } from './download.ts'

export interface SavedType {
  description: string
  accept: Record<string, string[]>
}

/** Chromium's own dialog, which browsers without it lack. */
type Picker = (options: {
  suggestedName: string
  types: SavedType[]
}) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>

const isLeft = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/**
 * Writes what is sent into a file, as it arrives where the browser can; memory stays flat then. False: the person chose no file.
 * Throws when it breaks off: a partial file is not kept.
 */
export async function saveStream(
  { name, type }: { name: string; type: SavedType },
  open: () => Promise<Response>,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const picker = (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker
  let target: WritableStream<Uint8Array> | null = null
  if (picker) {
    try {
      target = await (await picker({ suggestedName: name, types: [type] })).createWritable()
    } catch (error) {
      if (isLeft(error)) return false
      throw error
    }
  }
  const response = await open().catch(async (error: unknown) => {
    await target?.abort()
    throw error
  })
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
  else downloadBlob(name, await new Response(counted ?? null).blob())
  return true
}
