import { runMessage } from '../../../contract/run-messages.ts'
import type { ValueChange } from '../../../contract/value-change.ts'
import type { ColumnType } from '../../../language/task/column-types.ts'
import { kindsMixed } from '../../sources/kinds-mixed.ts'
import { NumberFacts } from '../../sources/number-facts.ts'
import {
  JsonFault,
  broken,
  closeBrace,
  colon,
  comma,
  minus,
  openBrace,
  openBracket,
  quote,
  skipBlanks,
  stringEnd,
  unfinished,
  valueEnd,
} from './scan.ts'
import { commonShape, shapeOfText, type TextShape } from '../../sources/text-shape.ts'

/** Kinds of JSON values, as bits. NULL is none. */
const [numbers, texts, booleans, documents] = [1, 2, 4, 8] as const

/** A column of JSON records, and what all of its values are. */
export interface JsonColumn {
  name: string
  /** Its key as it was first written, without quotes. */
  key: Buffer
  kinds: number
  /** Numbers and truth values: they change where the column is one of text. */
  others: number
  facts: NumberFacts
  /** Of all of its texts; undefined: none yet, null: just text. */
  shape: TextShape | null | undefined
  /** Number of the last record that has it. */
  record: number
  /** The files that have it, by their numbers. */
  files: number[]
}

/** Which values of a column are written as texts. `numbers with commas`: as the texts of the column write numbers. */
export type Wraps = 'nothing' | 'numbers' | 'numbers with commas' | 'everything'

/** How values stand in what DuckDB reads, and what they become. */
export interface JsonStorage {
  /** DuckDB's type. */
  type: string
  /** Values that DuckDB would round or take apart stand there as texts. */
  wraps: Wraps
  /** The texts are moments with an offset. */
  zoned: boolean
}

/**
 * Nested values make a column JSON, several kinds of scalars text; numbers keep every digit, and texts that are all dates or moments
 * become such. `declared`: the type that the task gives the column, which is cast to afterwards from what loses nothing.
 */
export function storageOf({ kinds, facts, shape }: JsonColumn, declared?: ColumnType): JsonStorage {
  const storage = (type: string, wraps: Wraps = 'nothing'): JsonStorage => ({ type, wraps, zoned: false })
  if ((kinds & documents) !== 0) return storage('JSON', 'everything')
  // A text is a document, too. Where its content is one, a `cast` step makes it of the text.
  if (declared === 'json' && kinds !== 0) return storage('JSON', 'everything')
  if (kinds === numbers) {
    const type = facts.type()
    if ((type === 'DOUBLE' && declared?.startsWith('decimal')) || (type !== 'BIGINT' && declared === 'string'))
      return storage('VARCHAR', 'numbers')
    return storage(type, type === 'BIGINT' || type === 'DOUBLE' ? 'nothing' : 'numbers')
  }
  if (kinds === booleans) return storage('BOOLEAN')
  if (kinds === texts && shape && declared === undefined)
    return shape === 'ZONED' ? { type: 'TIMESTAMP', wraps: 'nothing', zoned: true } : storage(shape)
  return storage('VARCHAR', (kinds & numbers) === 0 ? 'nothing' : 'numbers')
}

const scalarKinds = [
  [numbers, 'kind_numbers'],
  [texts, 'kind_texts'],
  [booleans, 'kind_booleans'],
] as const

/** What arrives differently because the column has one type. */
export function changesOf(
  { name, kinds, others }: JsonColumn,
  { type }: JsonStorage,
  declared?: ColumnType,
): ValueChange[] {
  if (type !== 'VARCHAR' || declared !== undefined) return []
  return kindsMixed(
    name,
    scalarKinds.flatMap(([bit, kind]) => ((kinds & bit) === 0 ? [] : [kind])),
    type,
    others,
  )
}

/** The columns of all records that were seen, in the order of their first appearance; and the members of the record that was read last. */
export class JsonColumns {
  readonly all: JsonColumn[] = []
  /** The number of the file that is read. */
  file = 0
  /** Of the record that was read last: the columns of its members, and for each where its key, with quotes, and its value stand. */
  count = 0
  /** The record that was read last is no object, but the value of a column of its own. */
  isBare = false
  readonly columns: JsonColumn[] = []
  spots = new Int32Array(3 * 64)
  /** Records that were looked at; those that were unfinished count each time. */
  #looked = 0
  readonly #byName = new Map<string, JsonColumn>()
  readonly #byKey = new Map<string, JsonColumn>()
  readonly #bare: string

  /** `bare`: the column of records that are no objects. */
  constructor(bare: string) {
    this.#bare = bare
  }

  /** Reads a record and says where it ends, or `unfinished`. What is no object is taken for a member of its own. Throws `JsonFault`. */
  read(bytes: Buffer, at: number, end: number): number {
    this.count = 0
    this.#looked++
    this.isBare = bytes[at] !== openBrace
    if (this.isBare) {
      const stop = valueEnd(bytes, at, end)
      if (stop !== unfinished) this.#member(this.#named(this.#bare), at, at, stop)
      return stop
    }
    at = skipBlanks(bytes, at + 1, end)
    if (bytes[at] === closeBrace && at < end) return at + 1
    for (;;) {
      if (at >= end) return unfinished
      if (bytes[at] !== quote) throw broken(bytes, at)
      const key = at
      // Most records have the same keys in the same order as the one before: there they stand at the same place.
      const guess = this.columns[this.count]
      let column: JsonColumn
      if (guess && isAt(bytes, key + 1, end, guess.key)) {
        at = key + guess.key.length + 2
        column = guess
      } else {
        at = stringEnd(bytes, at, end)
        if (at === unfinished) return unfinished
        column = this.#columnAt(bytes, key + 1, at - 1)
      }
      if (column.record === this.#looked) throw new JsonFault(runMessage('key_twice', { key: column.name }), key)
      column.record = this.#looked
      at = skipBlanks(bytes, at, end)
      if (at >= end) return unfinished
      if (bytes[at] !== colon) throw broken(bytes, at)
      const value = skipBlanks(bytes, at + 1, end)
      at = valueEnd(bytes, value, end)
      if (at === unfinished) return unfinished
      this.#member(column, key, value, at)
      at = skipBlanks(bytes, at, end)
      if (at >= end) return unfinished
      if (bytes[at] === closeBrace) return at + 1
      if (bytes[at] !== comma) throw broken(bytes, at)
      at = skipBlanks(bytes, at + 1, end)
    }
  }

  /** Counts the values of the record that was read last. */
  note(bytes: Buffer): void {
    const { spots, columns, count, file } = this
    for (let index = 0; index < count; index++) {
      const column = columns[index] as JsonColumn // there are as many
      const value = spots[index * 3 + 1] ?? 0
      if (column.files.at(-1) !== file) column.files.push(file)
      const first = bytes[value]
      if (first === 0x6e) continue // null
      const end = spots[index * 3 + 2] ?? 0
      if (first === quote) {
        column.kinds |= texts
        if (column.shape !== null) noteShape(column, bytes, value + 1, end - 1)
      } else if (first === openBrace || first === openBracket) column.kinds |= documents
      else if (first === 0x74 || first === 0x66) {
        column.kinds |= booleans
        column.others++
      } else {
        column.kinds |= numbers
        column.others++
        noteNumber(column.facts, bytes, value, end)
      }
    }
  }

  #member(column: JsonColumn, key: number, value: number, end: number): void {
    const at = this.count * 3
    if (at === this.spots.length) {
      const more = new Int32Array(at * 2)
      more.set(this.spots)
      this.spots = more
    }
    this.columns[this.count++] = column
    this.spots[at] = key
    this.spots[at + 1] = value
    this.spots[at + 2] = end
  }

  #columnAt(bytes: Buffer, from: number, to: number): JsonColumn {
    const key = bytes.toString('latin1', from, to)
    let column = this.#byKey.get(key)
    if (!column) {
      column = this.#named(nameOf(bytes, from, to))
      if (column.key.length === 0) column.key = Buffer.from(bytes.subarray(from, to))
      this.#byKey.set(key, column)
    }
    return column
  }

  #named(name: string): JsonColumn {
    let column = this.#byName.get(name)
    if (!column) {
      column = {
        name,
        key: Buffer.alloc(0),
        kinds: 0,
        others: 0,
        facts: new NumberFacts(),
        shape: undefined,
        record: 0,
        files: [],
      }
      this.#byName.set(name, column)
      this.all.push(column)
    }
    return column
  }
}

/** Whether a key and the quote behind it stand there. */
function isAt(bytes: Buffer, from: number, end: number, key: Buffer): boolean {
  const { length } = key
  if (length === 0 || from + length >= end || bytes[from + length] !== quote) return false
  for (let at = 0; at < length; at++) if (bytes[from + at] !== key[at]) return false
  return true
}

function nameOf(bytes: Buffer, from: number, to: number): string {
  const name = (JSON.parse(bytes.toString('utf8', from - 1, to + 1)) as string).toWellFormed()
  if (name === '') throw new JsonFault(runMessage('key_nameless'), from - 1)
  return name
}

function noteShape(column: JsonColumn, bytes: Buffer, from: number, to: number): void {
  const shape = shapeOfText(bytes, from, to)
  column.shape = column.shape === undefined || shape === null ? shape : commonShape(column.shape ?? shape, shape)
}

/** Of so few digits floating point holds every number, and 64 bits every integer. */
const fewDigits = 15

function noteNumber(facts: NumberFacts, bytes: Buffer, from: number, end: number): void {
  let at = bytes[from] === minus ? from + 1 : from
  const first = at
  let whole = -1
  if (end - first <= fewDigits) {
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte === 0x2e) whole = at - first
      else if (byte > 0x39) break // an exponent
    }
  }
  if (at < end) facts.note(bytes.toString('latin1', from, end))
  else if (whole === -1) facts.short(end - first, 0)
  else facts.short(whole, end - first - whole - 1)
}
