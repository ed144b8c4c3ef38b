import { type ChunkHead, mostChunkBytes } from '../../contract/executor-results.ts'
import type { CutValue, QueryField } from '../../contract/query-values.ts'
import type { RowSink } from '../connectors/results.types.ts'
import type { ResultIo } from '../worker-protocol.ts'
import { resultLines, type LinesFormat, type ResultLines } from './result-lines.ts'
import { TextBuffer } from './text-buffer.ts'

/** Characters of a chunk: with one more row of as many, it stays below `mostChunkBytes` in UTF-8. */
const fullChars = 640 * 1024
/** The same of a file, whose lines may lie across chunks: fewer chunks cost less. */
const fullFileChars = 2 * fullChars
/** The first chunk is small: somebody waits for the first rows. Then each is larger than the one before. */
const firstChars = 32 * 1024
const growth = 4
/** Rows wait no longer for others while nothing is on its way. */
const lingerMs = 50

export interface ResultWriter extends RowSink {
  /** Sends what is left, with the count of all rows. */
  finish(): Promise<void>
  /** Sends nothing more, whatever became of the query. */
  stop(): void | Promise<void>
}

/** Makes chunks of rows. A row is only held back while chunks before it are not read. */
export function createResultWriter(format: LinesFormat, send: ResultIo['send']): ResultWriter {
  const full = format.kind === 'rows' ? fullChars : fullFileChars
  let lines: ResultLines | null = null
  let start: { fields: QueryField[]; statement: string } | undefined
  let pending: string[] = []
  /** Rows that were given by their texts, behind those in `pending`. */
  const written = new TextBuffer()
  let [chars, rows, total, target] = [0, 0, 0, firstChars]
  let cut: CutValue[] = []
  /** What pages have in part only, whole. */
  let cells: { cell: NonNullable<ChunkHead['cell']>; bytes: Buffer }[] = []
  let inFlight: Promise<void> | null = null
  /** What a chunk met that nobody waited for: the next row hears of it. */
  let failure: { error: unknown } | undefined
  let timer: NodeJS.Timeout | undefined

  /** One chunk at a time; of a file that has lines longer than a chunk, as many as it takes. */
  function flush(last = false): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const texts = written.take()
    const strings = Buffer.from(pending.join(''))
    const bytes = texts.length === 0 ? strings : strings.length === 0 ? texts : Buffer.concat([strings, texts])
    const head = { rows, ...(start && { start }), ...(cut.length > 0 && { cut }), ...(last && { total }) }
    const before = cells
    start = undefined
    pending = []
    chars = rows = 0
    cut = []
    cells = []
    target = Math.min(full, target * growth)
    const sent = sendAll(before, head, bytes).finally(() => {
      if (inFlight === sent) inFlight = null
    })
    sent.catch((error: unknown) => {
      failure ??= { error }
    })
    inFlight = sent
    return sent
  }

  async function sendAll(before: typeof cells, head: Parameters<ResultIo['send']>[0], bytes: Buffer): Promise<void> {
    const { total: all, ...first } = head
    for (const { cell, bytes: value } of before) {
      for (let at = 0; at < value.length; at += mostChunkBytes) {
        await send(
          { rows: 0, cell, ...(first.start && { start: first.start }) },
          value.subarray(at, at + mostChunkBytes),
        )
        delete first.start
      }
    }
    for (let at = 0; at + mostChunkBytes < bytes.length; at += mostChunkBytes) {
      await send(at === 0 ? { ...first, rows: 0 } : { rows: 0 }, bytes.subarray(at, at + mostChunkBytes))
    }
    const rest = bytes.subarray(Math.floor(Math.max(0, bytes.length - 1) / mostChunkBytes) * mostChunkBytes)
    const whole = rest.length === bytes.length
    await send({ ...(whole ? first : { rows: head.rows }), ...(all !== undefined && { total: all }) }, rest)
  }

  const flushFull = async (): Promise<void> => {
    await inFlight
    if (chars >= target) void flush()
  }

  function linger(): void {
    timer = undefined
    if (!inFlight && (rows > 0 || pending.length > 0 || start)) void flush()
  }

  return {
    start(fields, statement) {
      lines = resultLines(format, fields)
      start = { fields, statement }
      if (lines.head !== '') add(lines.head)
      timer ??= setTimeout(linger, lingerMs)
    },
    row(values) {
      if (!lines) throw new Error('A row came before its fields')
      if (failure) throw failure.error
      const line = lines.row(values, (field, length) => {
        cut.push({ row: total, field, length })
        const bytes = Buffer.from(JSON.stringify(values[field]))
        cells.push({ cell: { row: total, field }, bytes })
        chars += bytes.length
      })
      add(line)
      return rowAdded()
    },
    texts() {
      const form = lines?.texts
      if (!form) return null
      const { between, room, write, value, end } = form
      let field = 0
      /** Where the next value begins, behind what stands before it. */
      function next(into: Buffer): number {
        let at = written.length
        if (field++ > 0) into[at++] = between
        return at
      }
      return {
        text(bytes, from, to) {
          const into = written.room(1 + room(to - from))
          written.end(write(bytes, from, to, into, next(into)))
        },
        plain(bytes, from, to) {
          const into = written.room(1 + to - from)
          let at = next(into)
          // A call costs more than so few bytes.
          for (let byte = from; byte < to; byte++) into[at++] = bytes[byte]!
          written.end(at)
        },
        value(given) {
          const text = value(given, field)
          written.end(next(written.room(1)))
          written.add(text)
        },
        end() {
          if (failure) throw failure.error
          const into = written.room(end.length)
          let at = written.length
          for (const byte of end) into[at++] = byte
          written.end(at)
          field = 0
          chars = at
          return rowAdded()
        },
      }
    },
    async finish() {
      await inFlight
      if (failure) throw failure.error
      if (lines) add(lines.foot)
      await flush(true)
    },
    stop: () => clearTimeout(timer),
  }

  function rowAdded(): Promise<void> | null {
    rows += 1
    total += 1
    if (chars < target) {
      timer ??= setTimeout(linger, lingerMs)
      return null
    }
    if (inFlight) return flushFull()
    void flush()
    return null
  }

  function add(line: string): void {
    pending.push(line)
    chars += line.length
  }
}
