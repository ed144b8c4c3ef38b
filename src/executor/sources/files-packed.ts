import type { FileHandle } from 'node:fs/promises'
import { addAbortSignal, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { openFile } from '../engine/open-file.ts'

/** The compressed data ends before it should. */
export class CutOff extends Error {}

/** By their endings, as DuckDB does. */
export function packingOf(file: string): 'gzip' | 'zstd' | null {
  return file.endsWith('.gz') ? 'gzip' : file.endsWith('.zst') ? 'zstd' : null
}

/** Larger pieces make Node's decoders several times faster than their own 16 KB. */
const pieceBytes = 1024 * 1024

/** What a file holds, unpacked. Throws where compressed data is cut off or does not match its checksum. */
export async function* contentOf(
  file: string,
  signal: AbortSignal,
  /** Smaller ones where only the beginning is wanted. */
  chunkSize = pieceBytes,
): AsyncGenerator<Buffer> {
  const packing = packingOf(file)
  if (packing === null) yield* pieces(file, null, {}, signal, chunkSize)
  else if (packing === 'gzip') yield* pieces(file, createGunzip({ chunkSize }), {}, signal, chunkSize)
  else {
    // Node's decoder ends with the first frame.
    for await (const { start, end } of zstdFrames(file)) {
      yield* pieces(file, createZstdDecompress({ chunkSize }), { start, end: end - 1 }, signal, chunkSize)
    }
  }
}

async function* pieces(
  file: string,
  decoder: Transform | null,
  range: { start?: number; end?: number },
  signal: AbortSignal,
  highWaterMark: number,
): AsyncGenerator<Buffer> {
  const handle = await openFile(file)
  const bytes = addAbortSignal(signal, handle.createReadStream({ ...range, highWaterMark }))
  const content = decoder === null ? bytes : bytes.pipe(addAbortSignal(signal, decoder))
  if (decoder) bytes.once('error', (error) => decoder.destroy(error))
  try {
    for await (const piece of content) yield piece as Buffer // no encoding is set
  } finally {
    bytes.destroy()
  }
}

const zstdMagic = 0xfd2fb528
/** Its last digit is free. */
const skippedMagic = 0x184d2a50
const longestHeader = 18

/** From block to block, without decoding them. Throws where the end is missing. */
export async function* zstdFrames(file: string): AsyncGenerator<{ start: number; end: number }> {
  const handle = await openFile(file)
  try {
    const { size } = await handle.stat()
    if (size === 0) throw new CutOff()
    for (let start = 0; start < size;) {
      const end = await frameEnd(handle, start, size)
      yield { start, end }
      start = end
    }
  } finally {
    await handle.close()
  }
}

/** RFC 8878, sections 3.1.1 and 3.1.2. */
async function frameEnd(handle: FileHandle, start: number, size: number): Promise<number> {
  const within = (end: number): number => {
    if (end > size) throw new CutOff()
    return end
  }
  const header = Buffer.alloc(longestHeader)
  await handle.read(header, 0, longestHeader, start)
  within(start + 5)
  const magic = header.readUInt32LE(0)
  if ((magic & 0xfffffff0) >>> 0 === skippedMagic) return within(within(start + 8) + header.readUInt32LE(4))
  if (magic !== zstdMagic) throw new Error('data that is not zstd follows the compressed data')
  const descriptor = header[4] ?? 0
  const single = (descriptor & 0x20) !== 0
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const checksumBytes = (descriptor & 4) === 0 ? 0 : 4
  let at = start + 5 + (single ? 0 : 1) + dictionaryBytes + sizeBytes
  for (let last = false; !last;) {
    within(at + 3)
    await handle.read(header, 0, 3, at)
    const block = header.readUIntLE(0, 3)
    last = (block & 1) === 1
    // A block of one byte repeated holds that byte alone.
    const length = ((block >> 1) & 3) === 1 ? 1 : block >> 3
    at = within(at + 3 + length)
  }
  return within(at + checksumBytes)
}
