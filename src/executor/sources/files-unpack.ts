import { openFile } from '../engine/open-file.ts'
import type { OpenedFile } from '../connectors/stores/store.types.ts'
import { cancelled } from '../engine/duckdb.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { copyOf } from './files-copy.ts'
import { contentOf, packingOf } from './files-packed.ts'

/**
 * Gzip of several members, or with more in its header than a name, is unpacked into a file of the run before it is read: of many small
 * members DuckDB loses some without notice, and of headers it knows few. `most`: so many bytes of each are enough; null: all.
 */
export async function unpackUnusual(
  opened: readonly OpenedFile[],
  context: StageContext,
  most: number | null,
): Promise<OpenedFile[]> {
  const files: OpenedFile[] = []
  for (const file of opened) {
    const isGzip = packingOf(file.local) === 'gzip'
    files.push(isGzip && (await isUnusual(file.local, context.signal)) ? await unpack(file, context, most) : file)
  }
  return files
}

const unpack = (file: OpenedFile, context: StageContext, most: number | null): Promise<OpenedFile> =>
  copyOf(
    file,
    context,
    'is unpacked before it is read: its gzip is of several parts, or has an unusual header',
    async function* () {
      let bytes = 0
      for await (const piece of contentOf(file.local, context.signal)) {
        yield piece
        bytes += piece.length
        if (most !== null && bytes >= most) return true
      }
      return false
    },
  )

const magic = Buffer.from([0x1f, 0x8b, 0x08])
/** RFC 1952, 2.3.1: those that DuckDB reads past, a field of the writer's own and a name. */
const knownFlags = 0x04 | 0x08
const reservedFlags = 0xe0
/** The checksum and the length at the end of a member. */
const trailerBytes = 8
const blockBytes = 1024 * 1024

/** May say so of a file that only looks like it: then it is unpacked without need. */
async function isUnusual(file: string, signal: AbortSignal): Promise<boolean> {
  const handle = await openFile(file)
  try {
    const block = Buffer.alloc(blockBytes)
    let kept = 0
    for (let start = 0; ;) {
      if (signal.aborted) throw cancelled()
      const { bytesRead } = await handle.read(block, kept, blockBytes - kept, start + kept)
      const bytes = block.subarray(0, kept + bytesRead)
      if (start === 0 && ((bytes[3] ?? 0) & ~knownFlags) !== 0) return true
      // Behind the last member there may be zeros up to a border of the medium.
      if (bytesRead === 0) return bytes.length === trailerBytes && bytes.every((byte) => byte === 0)
      for (let at = bytes.indexOf(magic, start === 0 ? 1 : 0); at !== -1; at = bytes.indexOf(magic, at + 1)) {
        const flags = bytes[at + magic.length]
        if (flags !== undefined && (flags & reservedFlags) === 0) return true
      }
      // What may be the beginning of a header is looked at again with what follows.
      kept = Math.min(trailerBytes, bytes.length)
      start += bytes.length - kept
      bytes.copy(block, 0, bytes.length - kept)
    }
  } finally {
    await handle.close()
  }
}
