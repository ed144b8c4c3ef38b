import { Unsound } from '../../sources/files-ends.ts'
import { contentOf } from '../../sources/files-packed.ts'
import {
  JsonFault,
  broken,
  closeBrace,
  closeBracket,
  colon,
  comma,
  lineFeed,
  nowhere,
  openBrace,
  openBracket,
  quote,
  skipBlanks,
  stringEnd,
  unfinished,
  valueEnd,
} from './scan.ts'
import type { Message } from '../../../language/message.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Takes the record that begins at `at` and says where it ends, or `unfinished`; `place`: its line, or its number. Of a line nothing may follow. */
export type TakeRecord = (bytes: Buffer, at: number, end: number, place: number) => number

/** A fault with its place in the file: `line 7`, `record 3`, and the byte. */
export class PlacedFault extends Error {
  readonly place: Message
  readonly reason: Message
  /** `before`: how many bytes in front of what was scanned, negative where it began before. */
  constructor(place: Message, { reason, at }: JsonFault, before: number) {
    const placed = at === nowhere ? reason : runMessage('at_byte', { cause: reason, byte: at + before + 1 })
    super(placed.message)
    this.reason = placed
    this.place = place
  }
}

/** Something is to happen between two records, as they are taken without waiting: what was taken is written, or enough were taken. */
export type Between = () => Promise<'go on' | 'enough'>

const mark = [0xef, 0xbb, 0xbf] as const

export function hasMark(bytes: Uint8Array): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

/**
 * Line by line, unpacked. `faulty` takes a line that is no record; without it the first one throws. Bytes of a place are counted within
 * its line.
 */
export async function walkLines(
  file: string,
  signal: AbortSignal,
  take: TakeRecord,
  between: Between,
  faulty: ((fault: PlacedFault, line: Buffer, place: number) => void) | null,
): Promise<{ marked: boolean }> {
  let line = 1
  let isFirst = true
  let marked = false
  const record = (bytes: Buffer, from: number, end: number): void => {
    const place = line++
    const start = skipBlanks(bytes, from, end)
    if (start === end) return
    try {
      const stop = take(bytes, start, end, place)
      if (stop === unfinished) throw new JsonFault(runMessage('json_line_ends'), end)
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error
      const fault = new PlacedFault(runMessage('place_line', { line: place }), error, -from)
      if (faulty === null) throw fault
      faulty(fault, Buffer.from(bytes.subarray(from, end)), place)
    }
  }
  // A line that goes on in the next piece.
  let before: Buffer[] = []
  for await (const piece of contentOf(file, signal)) {
    let from = 0
    if (isFirst) {
      marked = hasMark(piece)
      from = marked ? mark.length : 0
      isFirst = false
    }
    for (let end = piece.indexOf(lineFeed, from); end !== -1; end = piece.indexOf(lineFeed, from)) {
      if (before.length === 0) record(piece, from, end)
      else {
        const whole = Buffer.concat([...before, piece.subarray(from, end)])
        before = []
        record(whole, 0, whole.length)
      }
      from = end + 1
    }
    if (from < piece.length) before.push(piece.subarray(from))
    if ((await between()) === 'enough') return { marked }
  }
  if (before.length > 0) {
    const whole = Buffer.concat(before)
    record(whole, 0, whole.length)
    await between()
  }
  return { marked }
}

/** The records of a document: of the list that it is, or that stands at a path in it, or the objects that follow each other in it. */
export async function walkDocument(
  file: string,
  path: string | null,
  signal: AbortSignal,
  take: TakeRecord,
  between: Between,
): Promise<{ found: boolean; list: boolean }> {
  const feed = new Feed(contentOf(file, signal))
  try {
    return await new DocumentWalk(feed, take, between).walk(path)
  } finally {
    await feed.end()
  }
}

/** The bytes of a file as far as they are wanted: what was taken is let go. */
class Feed {
  bytes: Buffer = Buffer.alloc(0)
  at = 0
  /** Of the file, in front of `bytes`. */
  passed = 0
  finished = false
  readonly #pieces: AsyncGenerator<Buffer>

  constructor(pieces: AsyncGenerator<Buffer>) {
    this.#pieces = pieces
  }

  /** False: there is no more. As much again as is there, so that a long record is not looked at too often. */
  async more(): Promise<boolean> {
    const parts = [this.bytes.subarray(this.at)]
    const wanted = Math.max(1, (parts[0]?.length ?? 0) * 2)
    let size = parts[0]?.length ?? 0
    const before = size
    while (size < wanted && !this.finished) {
      const { value, done } = await this.#pieces.next()
      if (done === true) this.finished = true
      else {
        parts.push(value)
        size += value.length
      }
    }
    this.passed += this.at
    this.at = 0
    this.bytes = parts.length === 1 ? (parts[0] ?? this.bytes) : Buffer.concat(parts)
    return size > before
  }

  async end(): Promise<void> {
    await this.#pieces.return(undefined)
  }
}

class DocumentWalk {
  readonly #feed: Feed
  readonly #take: TakeRecord
  readonly #between: Between
  #number = 0
  #found = false
  #listed = false
  #enough = false
  /** How far it was at the last pause. */
  #paused = 0

  constructor(feed: Feed, take: TakeRecord, between: Between) {
    this.#feed = feed
    this.#take = take
    this.#between = between
  }

  async walk(path: string | null): Promise<{ found: boolean; list: boolean }> {
    const feed = this.#feed
    await feed.more()
    while (feed.bytes.length < mark.length && (await feed.more()));
    if (hasMark(feed.bytes)) feed.at = mark.length
    try {
      if (path !== null) {
        if ((await this.#next()) === null) return { found: false, list: false }
        await this.#descend(path.split('.'))
      } else if ((await this.#next()) === openBracket) await this.#list()
      else {
        this.#found = true
        while ((await this.#next()) !== null && !this.#enough) await this.#record()
      }
      if (!this.#enough && (await this.#next()) !== null) throw broken(feed.bytes, feed.at)
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error
      throw new PlacedFault(runMessage('place_record', { record: this.#number }), error, feed.passed)
    }
    return { found: this.#found, list: this.#listed }
  }

  /** The next byte that is no blank; null: the file has ended. */
  async #next(): Promise<number | null> {
    const feed = this.#feed
    for (;;) {
      feed.at = skipBlanks(feed.bytes, feed.at, feed.bytes.length)
      if (feed.at < feed.bytes.length) return feed.bytes[feed.at] ?? null
      if (!(await feed.more())) return null
    }
  }

  /** Reads something that may reach beyond what is there. */
  async #whole(read: (bytes: Buffer, at: number, end: number) => number): Promise<number> {
    const feed = this.#feed
    for (;;) {
      const end = read(feed.bytes, feed.at, feed.bytes.length)
      // What reaches to the very end may go on behind it.
      const open = end === unfinished || (end === feed.bytes.length && !feed.finished)
      if (!open) return (feed.at = end)
      if (!(await feed.more()) && end === unfinished)
        throw new JsonFault(runMessage('json_file_ends'), feed.bytes.length)
    }
  }

  async #record(): Promise<void> {
    const feed = this.#feed
    const place = ++this.#number
    for (;;) {
      const { bytes, at } = feed
      const first = bytes[at]
      // A number may go on in what follows; it must not be taken before.
      const isOpen =
        first !== openBrace &&
        first !== openBracket &&
        !feed.finished &&
        valueEnd(bytes, at, bytes.length) === bytes.length
      const end = isOpen ? unfinished : this.#take(bytes, at, bytes.length, place)
      if (end !== unfinished) {
        feed.at = end
        break
      }
      if (!(await feed.more()) && !isOpen) throw new JsonFault(runMessage('json_file_ends'), feed.bytes.length)
    }
    if (feed.passed + feed.at - this.#paused >= pieceBytes) await this.#pause()
  }

  async #pause(): Promise<void> {
    this.#paused = this.#feed.passed + this.#feed.at
    if ((await this.#between()) === 'enough') this.#enough = true
  }

  async #list(): Promise<void> {
    this.#found = true
    this.#listed = true
    this.#feed.at++
    if ((await this.#next()) === closeBracket) return void this.#feed.at++
    for (;;) {
      const byte = await this.#next()
      if (byte === null) throw new Unsound(runMessage('list_not_closed'), runMessage('list_not_closed_fix'))
      await this.#record()
      if (this.#enough) return
      const behind = await this.#next()
      if (behind === null) throw new Unsound(runMessage('list_not_closed'), runMessage('list_not_closed_fix'))
      if (behind !== comma && behind !== closeBracket) throw broken(this.#feed.bytes, this.#feed.at)
      this.#feed.at++
      if (behind === closeBracket) break
    }
    await this.#pause()
  }

  /** Into the objects that a path leads through; what else stands in them is passed over. */
  async #descend(path: readonly string[]): Promise<void> {
    const first = await this.#next()
    if (path.length === 0 && !this.#found) {
      if (first === openBracket) return this.#list()
      if (first === openBrace) {
        this.#found = true
        await this.#record()
        return this.#pause()
      }
      if (first !== 0x6e) throw new JsonFault(runMessage('json_no_list'), this.#feed.at)
      this.#found = true
    }
    if (path.length === 0 || first !== openBrace || this.#found) return void (await this.#whole(valueEnd))
    const feed = this.#feed
    feed.at++
    if ((await this.#next()) === closeBrace) return void feed.at++
    for (;;) {
      if ((await this.#next()) !== quote) throw broken(feed.bytes, feed.at)
      let key = ''
      await this.#whole((bytes, at, end) => {
        const stop = stringEnd(bytes, at, end)
        if (stop !== unfinished) key = JSON.parse(bytes.toString('utf8', at, stop)) as string
        return stop
      })
      if ((await this.#next()) !== colon) throw broken(feed.bytes, feed.at)
      feed.at++
      const taken = path.findIndex((_, index) => path.slice(0, index + 1).join('.') === key)
      if ((await this.#next()) === null) throw new JsonFault(runMessage('json_file_ends'), feed.at)
      if (taken !== -1 && this.#found) throw new JsonFault(runMessage('key_twice', { key }), feed.at)
      if (taken === -1) await this.#whole(valueEnd)
      else await this.#descend(path.slice(taken + 1))
      if (this.#enough) return
      const behind = await this.#next()
      if (behind !== comma && behind !== closeBrace) throw broken(feed.bytes, feed.at)
      feed.at++
      if (behind === closeBrace) return
    }
  }
}

/** Of a document, between two pauses. */
const pieceBytes = 1_048_576
