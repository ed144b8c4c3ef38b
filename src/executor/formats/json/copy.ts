import { open, type FileHandle } from 'node:fs/promises'
import { EngineError } from '../../engine/errors.ts'
import type { JsonColumns, Wraps } from './columns.ts'
import { comma, quote } from './scan.ts'
import { runMessage } from '../../../contract/run-messages.ts'

const flushBytes = 1_048_576
const [backslash, newLine, point] = [0x5c, 0x0a, 0x2e] as const

/** Records as JSON lines in a file, each value as DuckDB is to read it. */
export class JsonCopy {
  #out = Buffer.allocUnsafe(flushBytes * 2)
  #at = 0
  /** Bytes of the longest record. */
  longest = 0
  readonly #handle: FileHandle
  readonly #file: string

  private constructor(handle: FileHandle, file: string) {
    this.#handle = handle
    this.#file = file
  }

  static async create(file: string): Promise<JsonCopy> {
    return new JsonCopy(await open(file, 'w'), file)
  }

  /** The record that the columns have read last. `first`: a member in front of the others, as it is written. */
  record(bytes: Buffer, columns: JsonColumns, wraps: ReadonlyMap<unknown, Wraps>, first: string | null): void {
    const { spots, count } = columns
    const last = count === 0 ? 0 : (spots[count * 3 - 1] ?? 0) - (spots[0] ?? 0)
    // Each byte may become two, and what surrounds the members takes some.
    this.#room(last * 2 + count * 4 + (first?.length ?? 0) * 3 + 64)
    const begin = this.#at
    this.#byte(0x7b)
    if (first !== null) this.#at += this.#out.write(count === 0 ? first : `${first},`, this.#at)
    for (let index = 0; index < count; index++) {
      const [key, value, end] = [spots[index * 3] ?? 0, spots[index * 3 + 1] ?? 0, spots[index * 3 + 2] ?? 0]
      if (index > 0) this.#byte(0x2c)
      if (key === value) this.#at += this.#out.write(`${JSON.stringify(columns.columns[index]?.name)}:`, this.#at)
      else this.#bare(bytes, key, value)
      const column = columns.columns[index]
      const how = wraps.get(column) ?? 'nothing'
      const start = bytes[value] ?? 0
      const isNumber = start === 0x2d || (start >= 0x30 && start <= 0x39)
      const from = this.#at
      if (start === 0x6e || how === 'nothing' || (how !== 'everything' && !isNumber)) this.#bare(bytes, value, end)
      else this.#wrapped(bytes, value, end)
      if (isNumber && how === 'numbers with commas') {
        const at = this.#out.subarray(from, this.#at).indexOf(point)
        if (at !== -1) this.#out[from + at] = comma
      }
    }
    this.#byte(0x7d)
    this.#byte(newLine)
    this.longest = Math.max(this.longest, this.#at - begin)
  }

  /** In place of a line that is left out: the others keep their numbers. */
  blank(): void {
    this.#room(1)
    this.#byte(newLine)
  }

  /** Writes what has gathered. */
  async flush(least = 0): Promise<void> {
    if (this.#at <= least) return
    try {
      await this.#handle.writeFile(this.#out.subarray(0, this.#at))
    } catch (error) {
      throw new EngineError('DISK_FULL', runMessage('records_file_unwritable', { file: this.#file }), {
        hint: runMessage('records_file_unwritable_fix'),
        cause: error,
      })
    }
    this.#at = 0
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return
    const more = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#at + bytes))
    this.#out.copy(more, 0, 0, this.#at)
    this.#out = more
  }

  #byte(byte: number): void {
    this.#out[this.#at++] = byte
  }

  /** Without blanks and line ends between what it is made of. */
  #bare(bytes: Buffer, from: number, end: number): void {
    const out = this.#out
    let to = this.#at
    let inText = false
    for (let at = from; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (inText) {
        out[to++] = byte
        if (byte === backslash) out[to++] = bytes[++at] ?? 0
        else if (byte === quote) inText = false
      } else if (byte > 0x20) {
        out[to++] = byte
        inText = byte === quote
      }
    }
    this.#at = to
  }

  /** The same as a text. */
  #wrapped(bytes: Buffer, from: number, end: number): void {
    const out = this.#out
    let to = this.#at
    let inText = false
    out[to++] = quote
    for (let at = from; at < end; at++) {
      let byte = bytes[at] ?? 0
      if (!inText && byte <= 0x20) continue
      if (byte === backslash) {
        out[to++] = backslash
        out[to++] = backslash
        byte = bytes[++at] ?? 0
        if (byte === quote || byte === backslash) out[to++] = backslash
      } else if (byte === quote) {
        inText = !inText
        out[to++] = backslash
      }
      out[to++] = byte
    }
    out[to++] = quote
    this.#at = to
  }
}
