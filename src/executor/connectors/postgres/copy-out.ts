import type pg from 'pg'
import type { Duplex } from 'node:stream'
import { EngineError } from '../../engine/errors.ts'
import { incomplete, unsettled, type BinaryRows } from './rows.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The letters of the server's messages that matter here. */
const [copyData, copyDone, errorResponse] = [0x64, 0x63, 0x45]
const messageHead = 5

/** The rows of a query, in PostgreSQL's binary form, out of the connection's own buffers. Every one is accounted for, or this fails. */
export async function copyOut(client: pg.Client, sql: string, rows: BinaryRows, signal: AbortSignal): Promise<void> {
  const copy = client.query(new CopyOut(`COPY (${sql}) TO STDOUT (FORMAT binary)`))
  const reader = createReader(rows)
  let isDone = false
  try {
    for (let bytes = await copy.read(); bytes !== null; bytes = await copy.read()) {
      // The server is asked to stop by now: what it says is heard, what it sends is not.
      if (signal.aborted) copy.release(bytes)
      else await takeMessages(bytes, copy, reader)
    }
    const announced = await copy.complete
    isDone = true
    reader.check(announced)
  } finally {
    // A server that goes on sending would keep the connection busy to its last row.
    if (!isDone) copy.abandon()
  }
}

async function takeMessages(bytes: Buffer, copy: CopyOut, reader: RowReader): Promise<void> {
  let at = 0
  while (at + messageHead <= bytes.length) {
    const code = bytes[at]
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (code === errorResponse) {
      copy.release(bytes.subarray(at))
      return
    }
    if (end > bytes.length) {
      copy.unread(bytes.subarray(at), end - at)
      return
    }
    if (code === copyData) {
      const wait = reader.take(bytes, at + messageHead, end)
      if (wait) await wait
    } else if (code === copyDone) {
      copy.release(bytes.subarray(end))
      return
    }
    at = end
  }
  copy.unread(bytes.subarray(at), messageHead)
}

interface RowReader {
  /** Takes a part of what the server sends. A promise where it has to be waited for. */
  take(bytes: Buffer, from: number, to: number): Promise<unknown> | null
  /** `announced`: rows by the server's own count. */
  check(announced: number): void
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const headerBytes = signature.length + 8

function createReader(rows: BinaryRows): RowReader {
  let begun: Buffer | null = null
  let hasHeader = false
  let hasEnded = false
  let count = 0

  function run(bytes: Buffer, from: number, to: number): Promise<unknown> | null {
    const settling = rows.settling()
    if (settling) return settling.then(() => run(bytes, from, to))
    let at = from
    while (at < to) {
      const next = one(bytes, at, to)
      if (next === unsettled) return rows.settle().then(() => run(bytes, at, to))
      if (next === incomplete) {
        begun = Buffer.from(bytes.subarray(at, to))
        return null
      }
      at = next
    }
    return null
  }

  function one(bytes: Buffer, at: number, to: number): number {
    if (hasEnded) throw unaccounted('rows came behind the end')
    if (!hasHeader) {
      const next = headerEnd(bytes, at, to)
      hasHeader = next !== incomplete
      return next
    }
    if (to - at >= 2 && bytes.readInt16BE(at) === -1) {
      hasEnded = true
      return at + 2
    }
    const next = rows.take(bytes, at, to)
    if (next >= 0) count++
    return next
  }

  return {
    take(bytes, from, to) {
      if (!begun) return run(bytes, from, to)
      // The server sends a row in one piece, though nothing says that it must.
      const all = Buffer.concat([begun, bytes.subarray(from, to)])
      begun = null
      return run(all, 0, all.length)
    },
    check(announced) {
      if (!hasEnded) throw unaccounted(`the end is missing after ${count.toLocaleString('en')} rows`)
      if (announced === count) return
      throw unaccounted(
        `${count.toLocaleString('en')} rows arrived, and the server counted ${announced.toLocaleString('en')}`,
      )
    },
  }
}

function headerEnd(bytes: Buffer, at: number, to: number): number {
  if (to - at < headerBytes) return incomplete
  if (bytes.compare(signature, 0, signature.length, at, at + signature.length) !== 0)
    throw unaccounted('they are not in the binary form that was asked for')
  const end = at + headerBytes + bytes.readUInt32BE(at + headerBytes - 4)
  return end > to ? incomplete : end
}

function unaccounted(what: string): EngineError {
  return new EngineError('ROWS_UNACCOUNTED', runMessage('source_rows_missing', { what }), {
    hint: runMessage('source_rows_missing_fix'),
  })
}

/**
 * A COPY statement whose messages are read off the connection directly. The driver would make an object and an event of every row; it
 * gets its connection back where the rows end.
 */
class CopyOut implements pg.Submittable {
  /** The server's count of rows, once it is ready for the next statement. */
  readonly complete: Promise<number>
  readonly #sql: string
  #stream: Duplex | null = null
  #driver: ((bytes: Buffer) => void) | null = null
  /** Pieces of a message that is not complete. */
  #held: Buffer[] = []
  #heldBytes = 0
  #wanted = messageHead
  /** What arrived behind that message. */
  #behind: Buffer | null = null
  #isOver = false
  #count = -1
  #finish!: (count: number) => void
  #fail!: (error: unknown) => void
  #wake: () => void = () => undefined
  readonly #onReadable = (): void => this.#wake()

  constructor(sql: string) {
    this.#sql = sql
    this.complete = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.complete.catch(() => undefined) // heard by whoever waits for it
  }

  /** Called by the driver when the connection is free. */
  submit(connection: pg.Connection): void {
    const { stream } = connection
    const [driver] = stream.listeners('data')
    this.#driver = driver as (bytes: Buffer) => void // the driver's only listener: it parses messages
    this.#stream = stream
    stream.removeListener('data', this.#driver)
    stream.pause()
    stream.on('readable', this.#onReadable)
    connection.query(this.#sql)
    this.#wake()
  }

  /** What has arrived, from the beginning of a message on; null: there is no more. */
  async read(): Promise<Buffer | null> {
    while (!this.#isOver) {
      const bytes = this.#arrived()
      if (bytes === null)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      else if (this.#heldBytes === 0) return bytes
      else if (this.#complete(bytes)) return this.#whole()
    }
    return null
  }

  /** The beginning of a message that is to be read again when `wanted` bytes of it are there. */
  unread(bytes: Buffer, wanted: number): void {
    if (bytes.length > 0) this.#held = [bytes]
    this.#heldBytes = bytes.length
    this.#wanted = wanted
  }

  /** Gives the connection back to the driver, with what is still to be parsed. */
  release(bytes: Buffer): void {
    const [stream, driver] = [this.#stream, this.#driver]
    this.#isOver = true
    if (!stream || !driver) return
    this.#stream = null
    stream.removeListener('readable', this.#onReadable)
    stream.on('data', driver)
    driver(bytes)
    if (this.#behind) driver(this.#behind)
    process.nextTick(() => stream.resume())
  }

  /** Closes a connection on which rows may still be on their way. */
  abandon(): void {
    this.#stream?.destroy()
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#count = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? -1)
  }

  handleReadyForQuery(): void {
    this.#finish(this.#count)
  }

  handleError(error: unknown): void {
    this.#isOver = true
    this.#fail(error)
    this.#wake()
  }

  /** Rows of a statement that was given up. */
  handleCopyData(): void {}

  #arrived(): Buffer | null {
    const bytes = this.#behind ?? (this.#stream?.read() as Buffer | null | undefined) // no encoding was set
    this.#behind = null
    return bytes ?? null
  }

  /** Adds what is missing of the message that was begun; what is behind it stays where it arrived. */
  #complete(bytes: Buffer): boolean {
    const missing = this.#wanted - this.#heldBytes
    if (bytes.length > missing) this.#behind = bytes.subarray(missing)
    this.#held.push(this.#behind ? bytes.subarray(0, missing) : bytes)
    this.#heldBytes += Math.min(bytes.length, missing)
    return this.#heldBytes === this.#wanted
  }

  #whole(): Buffer {
    const bytes = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return bytes
  }
}
