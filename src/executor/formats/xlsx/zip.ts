import type { FileHandle } from 'node:fs/promises'
import { openFile } from '../../engine/open-file.ts'
import { Readable, pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'

/** The parts of a workbook: an archive is read where it lies, part by part. */
export interface ZipArchive {
  has(part: string): boolean
  /** The part's bytes, as they are unpacked. Throws at the end where its checksum is another. */
  read(part: string): AsyncGenerator<Buffer>
  close(): Promise<void>
}

interface Entry {
  method: number
  encrypted: boolean
  crc: number
  packed: number
  unpacked: number
  offset: number
}

/** What is wrong with the archive itself. */
export class ZipError extends Error {}

const endMark = 0x06054b50
const end64Mark = 0x06064b50
const end64PlaceMark = 0x07064b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
/** A list of parts that is longer than this is no workbook's. */
const longestList = 64 * 1024 * 1024
const wide = 0xffffffff

export async function openZip(path: string): Promise<ZipArchive> {
  const handle = await openFile(path)
  try {
    const entries = await readList(handle)
    return {
      has: (part) => entries.has(part.toLowerCase()),
      read: (part) => readPart(handle, entries.get(part.toLowerCase()), part),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function at(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, done, length - done, offset + done)
    if (bytesRead === 0) throw new ZipError('it ends too early')
    done += bytesRead
  }
  return buffer
}

async function readList(handle: FileHandle): Promise<Map<string, Entry>> {
  const { size } = await handle.stat()
  // The end's record is the last thing, unless there is a comment behind it.
  const tailLength = Math.min(size, 65_557)
  const tail = await at(handle, size - tailLength, tailLength)
  const endAt = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (endAt === -1 || endAt + 22 > tailLength || tail.readUInt32LE(endAt) !== endMark) {
    throw new ZipError('it is no ZIP archive, or its end is missing')
  }
  let count = tail.readUInt16LE(endAt + 10)
  let length = tail.readUInt32LE(endAt + 12)
  let offset = tail.readUInt32LE(endAt + 16)
  if ((offset === wide || length === wide || count === 0xffff) && endAt >= 20) {
    const place = tail.subarray(endAt - 20, endAt)
    if (place.readUInt32LE(0) === end64PlaceMark) {
      const end = await at(handle, Number(place.readBigUInt64LE(8)), 56)
      if (end.readUInt32LE(0) !== end64Mark) throw new ZipError('its list of parts is damaged')
      count = Number(end.readBigUInt64LE(32))
      length = Number(end.readBigUInt64LE(40))
      offset = Number(end.readBigUInt64LE(48))
    }
  }
  if (length > longestList || offset + length > size) throw new ZipError('its list of parts is damaged')
  return readEntries(await at(handle, offset, length), count)
}

function readEntries(list: Buffer, count: number): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  let place = 0
  for (let index = 0; index < count; index++) {
    if (place + 46 > list.length || list.readUInt32LE(place) !== entryMark) {
      throw new ZipError('its list of parts is damaged')
    }
    const [nameLength, extraLength] = [list.readUInt16LE(place + 28), list.readUInt16LE(place + 30)]
    const name = list.toString('utf8', place + 46, place + 46 + nameLength)
    const extra = list.subarray(place + 46 + nameLength, place + 46 + nameLength + extraLength)
    const entry: Entry = {
      method: list.readUInt16LE(place + 10),
      encrypted: (list.readUInt16LE(place + 8) & 1) === 1,
      crc: list.readUInt32LE(place + 16),
      packed: list.readUInt32LE(place + 20),
      unpacked: list.readUInt32LE(place + 24),
      offset: list.readUInt32LE(place + 42),
    }
    if (entries.has(name.toLowerCase())) throw new ZipError(`it holds its part ${name} twice`)
    entries.set(name.toLowerCase(), widened(entry, extra))
    place += 46 + nameLength + extraLength + list.readUInt16LE(place + 32)
  }
  if (place !== list.length) throw new ZipError('its list of parts is damaged')
  return entries
}

/** Sizes beyond 4 GiB stand in a field of their own. */
function widened(entry: Entry, extra: Buffer): Entry {
  for (let place = 0; place + 4 <= extra.length; place += 4 + extra.readUInt16LE(place + 2)) {
    if (extra.readUInt16LE(place) !== 1) continue
    let field = place + 4
    const next = (): number => {
      field += 8
      if (field > extra.length) throw new ZipError('its list of parts is damaged')
      return Number(extra.readBigUInt64LE(field - 8))
    }
    if (entry.unpacked === wide) entry.unpacked = next()
    if (entry.packed === wide) entry.packed = next()
    if (entry.offset === wide) entry.offset = next()
  }
  return entry
}

async function* readPart(handle: FileHandle, entry: Entry | undefined, part: string): AsyncGenerator<Buffer> {
  if (!entry) throw new ZipError(`its part ${part} is missing`)
  if (entry.encrypted) throw new ZipError(`its part ${part} is encrypted`)
  if (entry.method !== 0 && entry.method !== 8) throw new ZipError(`its part ${part} is packed in an unknown way`)
  const header = await at(handle, entry.offset, 30)
  if (header.readUInt32LE(0) !== localMark) throw new ZipError(`its part ${part} is damaged`)
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = packedBytes(handle, start, entry.packed)
  let crc = 0
  let length = 0
  const bytes: AsyncIterable<Buffer> = entry.method === 0 ? packed : inflated(packed)
  for await (const chunk of bytes) {
    crc = crc32(chunk, crc)
    length += chunk.length
    yield chunk
  }
  if (crc !== entry.crc || length !== entry.unpacked) throw new ZipError(`its part ${part} is damaged`)
}

function inflated(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const inflate = createInflateRaw()
  // What goes wrong is heard by who reads; that the rest is not wanted any more is no error.
  pipeline(Readable.from(packed, { objectMode: false }), inflate, () => undefined)
  return inflate
}

async function* packedBytes(handle: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  const step = 262_144
  for (let done = 0; done < length; done += step) yield await at(handle, start + done, Math.min(step, length - done))
}
