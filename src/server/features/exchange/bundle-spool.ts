import type { ErrorDetail } from '../../../contract/errors.ts'
import { msg } from '../../../contract/messages.ts'
import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_BUNDLE_BYTES, MAX_BUNDLE_LINE_BYTES } from '../../../contract/exchange.ts'
import { Refusal } from '../../platform/refusal.ts'
import {
  type BundleReader,
  type BundleRecord,
  type RecordPlace,
  createBundleReader,
  joinParts,
} from './bundle-records.ts'

/** A bundle that has been read and checked to its end. It stands in a file, so that memory stays flat. */
export interface SpooledBundle {
  readonly records: readonly RecordPlace[]
  read(place: RecordPlace): BundleRecord
  /** Closes and removes the file. */
  remove(): Promise<void>
}

const NEWLINE = 0x0a

/** The folder of bundles that are being imported: a bundle is nobody else's business, and goes with its import. */
export function createBundleSpool(folder: string, newName: () => string) {
  return {
    /** What imports of a server that was killed have left. */
    async clear(): Promise<void> {
      await rm(folder, { recursive: true, force: true })
    },

    /** Refuses (IMPORT_ERROR) with the places of the first mistakes. The file is gone whenever this fails. */
    async take(body: AsyncIterable<Uint8Array>): Promise<SpooledBundle> {
      const path = join(folder, `${newName()}.ndjson`)
      let file: FileHandle | undefined
      const remove = async () => {
        await file?.close()
        await rm(path, { force: true })
      }
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        file = await open(path, 'wx+', 0o600)
        const { records, mistakes } = await receive(body, file)
        const [first] = mistakes
        if (first) {
          throw new Refusal('IMPORT_ERROR', reasonOf(first), { details: mistakes })
        }
        const { fd } = file
        return { records, read: (place) => joinParts(place.parts.map((part) => readText(fd, part))), remove }
      } catch (error) {
        await remove()
        throw explained(error)
      }
    },
  }
}

function reasonOf({ path, line = 0, column = 0, ...problem }: ErrorDetail) {
  if (path === 'body') return msg('bundle_mistake_line', { line, column, problem })
  return msg('bundle_mistake', { line, column, field: path.slice('body.'.length), problem })
}

/** Checks the lines while they arrive: whoever else asks something is answered between two chunks. */
async function receive(body: AsyncIterable<Uint8Array>, file: FileHandle) {
  const reader = createBundleReader()
  const lines = createLineSplitter(reader)
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BUNDLE_BYTES) throw new Refusal('PAYLOAD_TOO_LARGE', msg('bundle_large'))
    lines.add(chunk)
    await file.appendFile(chunk)
  }
  lines.end()
  return reader.end()
}

function createLineSplitter(reader: BundleReader) {
  let rest: Uint8Array[] = []
  let length = 0
  let offset = 0
  let number = 0

  function finish(): void {
    number += 1
    if (length > MAX_BUNDLE_LINE_BYTES) {
      reader.complain(number, MAX_BUNDLE_LINE_BYTES + 1, 'body', msg('line_long'))
    } else if (length > 0) takeLine(Buffer.concat(rest, length))
    offset += length + 1
    rest = []
    length = 0
  }

  function takeLine(bytes: Buffer): void {
    const mark = number === 1 && bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
    const text = bytes.toString('utf8', mark)
    if (isUtf8(bytes)) reader.line(text, number, offset + mark, length - mark)
    else reader.complain(number, text.indexOf('\uFFFD') + 1, 'body', msg('line_not_utf8'))
  }

  return {
    add(chunk: Uint8Array): void {
      let at = 0
      while (at < chunk.length) {
        const end = chunk.indexOf(NEWLINE, at)
        const part = chunk.subarray(at, end === -1 ? chunk.length : end)
        length += part.length
        // Of a line that is too long only its length counts.
        if (length <= MAX_BUNDLE_LINE_BYTES) rest.push(part)
        else rest = []
        if (end === -1) return
        finish()
        at = end + 1
      }
    },
    end(): void {
      if (length > 0) finish()
    },
  }
}

function readText(fd: number, { offset, length }: { offset: number; length: number }): string {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const count = readSync(fd, bytes, read, length - read, offset + read)
    if (count === 0) throw new Error('The file of a bundle is shorter than it was')
    read += count
  }
  return bytes.toString('utf8')
}

function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Refusal('UNAVAILABLE', msg('bundle_disk_full'))
}
