import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { LogEntry } from '../../contract/executor-protocol.ts'

const READ_BYTES = 256 * 1024
/** Bytes of UTF-8 for one unit of UTF-16, at most. */
const UNIT_BYTES = 3

/** Log lines that do not fit into memory, in a file, in order. Made when first needed. */
export class LogSpool {
  readonly #path: string
  #file: number | null = null
  #written = 0
  #read = 0
  /** Used again for every line and every piece of the file: what is outside of the heap does little to have it collected. */
  #buffer: Buffer = Buffer.alloc(0)

  constructor(path: string) {
    this.#path = path
  }

  get empty(): boolean {
    return this.#read === this.#written
  }

  append(entry: LogEntry): void {
    this.#file ??= openSync(this.#path, 'w+', 0o600)
    const line = `${JSON.stringify(entry)}\n`
    const buffer = this.#bufferOf(line.length * UNIT_BYTES)
    const length = buffer.write(line)
    // On a disk that is almost full less is written than asked for. Only whole lines count, so that the next one replaces a part.
    for (let at = 0; at < length; at += writeSync(this.#file, buffer, at, length - at, this.#written + at));
    this.#written += length
  }

  /** The oldest lines, about 256 KB of them; each line is given once. */
  take(): LogEntry[] {
    if (this.#file === null || this.empty) return []
    const text = this.#readLines(this.#file, READ_BYTES)
    this.#read += Buffer.byteLength(text)
    if (this.empty) {
      ftruncateSync(this.#file, 0)
      this.#read = 0
      this.#written = 0
    }
    // Written by `append`.
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LogEntry)
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
    this.#buffer = Buffer.alloc(0)
    this.#read = 0
    this.#written = 0
  }

  #bufferOf(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, READ_BYTES))
    return this.#buffer
  }

  /** Whole lines from where we are; more than `size` when the first line is longer. */
  #readLines(file: number, size: number): string {
    const wanted = Math.min(size, this.#written - this.#read)
    const buffer = this.#bufferOf(wanted)
    const length = readSync(file, buffer, 0, wanted, this.#read)
    const end = buffer.subarray(0, length).lastIndexOf(0x0a)
    return end < 0 ? this.#readLines(file, size * 2) : buffer.toString('utf8', 0, end + 1)
  }
}
