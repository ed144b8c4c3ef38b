import type { FileHandle } from 'node:fs/promises'
import { Readable, pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** Parts are packed one after another; sizes are put into their headers when they are known. */
export interface ZipWriter {
  add(part: string, content: AsyncIterable<string> | Iterable<string>): Promise<void>
  finish(): Promise<void>
}

/** Larger parts would need an extension of the format that not every reader knows. */
const mostBytes = 0xffffffff

export class PartTooLarge extends Error {}

export function createZipWriter(handle: FileHandle): ZipWriter {
  const list: Buffer[] = []
  let place = 0
  const put = async (bytes: Buffer, at: number): Promise<void> => {
    for (let done = 0; done < bytes.length;) {
      done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
    }
  }
  return {
    async add(part, content) {
      const name = Buffer.from(part)
      const start = place
      const header = 30 + name.length
      let crc = 0
      let unpacked = 0
      let packed = 0
      const counted = async function* (): AsyncGenerator<Buffer> {
        for await (const piece of content) {
          const bytes = Buffer.from(piece)
          crc = crc32(bytes, crc)
          unpacked += bytes.length
          yield bytes
        }
      }
      place += header
      const deflate = createDeflateRaw({ level: 6 })
      // What goes wrong is heard by the loop.
      pipeline(Readable.from(counted(), { objectMode: false }), deflate, () => undefined)
      for await (const chunk of deflate) {
        const bytes = chunk as Buffer // deflate gives nothing else
        await put(bytes, place)
        place += bytes.length
        packed += bytes.length
        if (unpacked > mostBytes || place > mostBytes) throw new PartTooLarge()
      }
      const fields = Buffer.alloc(26)
      fields.writeUInt16LE(20, 0) // version
      fields.writeUInt16LE(0x0800, 2) // names in UTF-8
      fields.writeUInt16LE(8, 4) // deflate
      fields.writeUInt16LE(0x21, 8) // 1980-01-01: the same rows give the same file
      fields.writeUInt32LE(crc, 10)
      fields.writeUInt32LE(packed, 14)
      fields.writeUInt32LE(unpacked, 18)
      fields.writeUInt16LE(name.length, 22)
      await put(Buffer.concat([Buffer.from('504b0304', 'hex'), fields, name]), start)
      const rest = Buffer.alloc(14)
      rest.writeUInt32LE(start, 10)
      list.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, rest, name]))
    },
    async finish() {
      const entries = Buffer.concat(list)
      const end = Buffer.alloc(22)
      end.write('504b0506', 0, 'hex')
      end.writeUInt16LE(list.length, 8)
      end.writeUInt16LE(list.length, 10)
      end.writeUInt32LE(entries.length, 12)
      end.writeUInt32LE(place, 16)
      await put(Buffer.concat([entries, end]), place)
    },
  }
}
