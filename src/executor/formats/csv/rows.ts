import { StringDecoder } from 'node:string_decoder'
import type { CsvReadOptions } from '../../../language/task/sources/source.types.ts'

/** How a row of a CSV file is written, apart from its values. */
export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number
  /** Where it ends. */
  lastLine: number
  /** Counted from 1, with the header and all that is skipped or blank: what DuckDB calls a line. */
  number: number
  /** One of `skip_lines`, or the line that names the delimiter. */
  skipped: boolean
  /** What it names as the delimiter, if it is Excel's first line `sep=;` (behind those of `skip_lines`), which is neither a header nor a row; null: it is no such line. */
  separator: string | null
  /** Nothing stands in it. */
  blank: boolean
  /** How many values it has. */
  values: number
  bytes: number
  /** What ends it; '' is the end of the file. */
  end: '' | '\n' | '\r\n' | '\r'
  /** Where text follows a value that was in quotes; null: nowhere. */
  strayLine: number | null
  /** Where text follows a value in quotes that begins in an earlier line: the quote that opens it may be none. null: nowhere. */
  strayOverLine: number | null
  /** Where a quote opens that is not closed before the end of the file; null: it is. */
  openLine: number | null
  /** All of its lines without what ends the last one, as far as `most` bytes reach. */
  text(most?: number): string
}

const [space, lineFeed, carriageReturn] = [0x20, 0x0a, 0x0d]
/** The byte order mark of UTF-8. */
const mark = Buffer.from('\ufeff')
const nothing = Buffer.alloc(0)
const shownBytes = 120
/** More of a row's text is not kept. */
export const longestText = 10_000

/** How a row can be read once more from its text: not if that is cut. */
export const formOf = ({ bytes }: Pick<CsvRow, 'bytes'>): { form?: 'line' } =>
  bytes <= longestText ? { form: 'line' } : {}

/** Where the last byte that ends a line is; -1: nowhere. */
export const lastLineEnd = (bytes: Buffer): number =>
  Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn))

const separatorIn = (line: string): string | null => /^sep=([^\r\n])$/i.exec(line)?.[1] ?? null

/** Such a line is no header. */
export const isEmptyLine = (row: CsvRow): boolean => row.blank || (row.values === 1 && row.text().trim() === '')

type State = 'start' | 'plain' | 'quoted' | 'escaped' | 'quote' | 'closed'

/**
 * Finds the rows of a CSV file as DuckDB does, in one pass over its bytes and without looking at values: where DuckDB gives up, it often
 * does not say why or where, and at the end of a file it does not always notice that a quote is still open.
 */
export class CsvRows {
  readonly #take: ((row: CsvRow) => void) | null
  readonly #encoding: 'latin1' | 'utf8'
  readonly #delimiter: Buffer
  readonly #quote: number
  readonly #escape: number
  #skipLines: number
  /** The row that may name the delimiter. */
  readonly #naming: number
  #state: State = 'start'
  #line = 1
  #rowLine = 1
  #rowBytes = 0
  #quoteLine = 1
  #strayLine: number | null = null
  #strayOverLine: number | null = null
  /** The end of a piece whose meaning depends on the next one. */
  #rest: Buffer = nothing
  /** Lines end with CR alone, as the first one does: there it also breaks lines within quotes. null: none has ended yet. */
  #returns: boolean | null = null
  /** Of the first row, which count if CR alone ends it. */
  #openReturns = 0
  /** The byte before those that are read. */
  #before = 0
  #begun = false
  #number = 1
  #delimiters = 0
  #longest = 0
  /** The beginning of a row that began in an earlier piece. */
  #head: Buffer = nothing

  /** `take`: gets each row; null: only the end is of interest. */
  constructor(csv: CsvReadOptions, take: ((row: CsvRow) => void) | null) {
    const encoding = csv.encoding === 'latin-1' ? 'latin1' : 'utf8'
    this.#encoding = encoding
    this.#take = take
    this.#delimiter = Buffer.from(csv.delimiter, encoding)
    this.#quote = csv.quote === '' ? -1 : (Buffer.from(csv.quote, encoding)[0] ?? -1)
    this.#escape = csv.escape === '' ? -1 : (Buffer.from(csv.escape, encoding)[0] ?? -1)
    this.#skipLines = csv.skip_lines
    this.#naming = csv.skip_lines + 1
  }

  push(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    this.#rest = nothing
    const isMarked = !this.#begun && bytes.subarray(0, mark.length).equals(mark)
    this.#begun = true
    this.#read(isMarked ? bytes.subarray(mark.length) : bytes, false)
  }

  /** The same where only the end is of interest: pieces without a quote are hardly looked at. */
  skip(piece: Buffer): void {
    const isPlain = this.#begun && this.#skipLines === 0 && this.#rest.length === 0
    if (!isPlain || (this.#state !== 'start' && this.#state !== 'plain') || piece.includes(this.#quote))
      return this.push(piece)
    let at = piece.length - 1
    while (at >= 0 && piece[at] === space) at--
    const last = piece[at]
    this.#passRows(piece)
    if (last === undefined) return
    const isEnd = last === lineFeed || last === carriageReturn || last === this.#delimiter.at(-1)
    this.#state = isEnd ? 'start' : 'plain'
  }

  /** Counts the bytes of rows in a piece without quotes. */
  #passRows(piece: Buffer): void {
    const end = lastLineEnd(piece)
    if (end === -1) {
      this.#rowBytes += piece.length
      return
    }
    const [feed, back] = [piece.indexOf(lineFeed), piece.indexOf(carriageReturn)]
    const first = feed === -1 || back === -1 ? Math.max(feed, back) : Math.min(feed, back)
    this.#longest = Math.max(this.#longest, this.#rowBytes + first)
    this.#rowBytes = piece.length - end - 1
  }

  /** Where the next byte stands. */
  get line(): number {
    return this.#line
  }

  /** Whether that is in one of `skip_lines`. */
  get skips(): boolean {
    return this.#skipLines > 0
  }

  /** How many bytes the longest row has, of those that are not skipped. With `skip`, as far as rows are longer than a piece. */
  get longest(): number {
    return this.#longest
  }

  /** Whether a quote is still open. */
  end(): boolean {
    this.#read(this.#rest, true)
    const isOpen = this.#state === 'quoted' || this.#state === 'escaped'
    if (this.#rowBytes > 0) this.#give(nothing, -1, '', isOpen ? this.#quoteLine : null)
    return isOpen
  }

  #read(bytes: Buffer, last: boolean): void {
    const [delimiter, quote, escape] = [this.#delimiter, this.#quote, this.#escape]
    const first = delimiter[0] ?? -1
    const size = bytes.length
    let at = 0
    let rowAt = at - this.#rowBytes
    while (at < size) {
      const state = this.#state
      let byte = bytes[at] ?? 0
      if (state === 'start') {
        // What is skipped has no values, and so no quotes.
        if (byte === space && this.#skipLines === 0) at++
        else if (byte === quote && this.#skipLines === 0) {
          this.#state = 'quoted'
          this.#quoteLine = this.#line
          at++
        } else this.#state = 'plain'
      } else if (state === 'quoted') {
        while (at < size && (byte = bytes[at] ?? 0) !== quote && byte !== escape) {
          if (this.#breaks(byte, bytes, at)) this.#line++
          at++
        }
        if (at === size) break
        this.#state = byte === quote ? 'quote' : 'escaped'
        at++
      } else if (state === 'escaped') {
        this.#state = 'quoted'
        if (this.#breaks(byte, bytes, at)) this.#line++
        at++
      } else if (state === 'quote' && byte === quote && escape === quote) {
        this.#state = 'quoted'
        at++
      } else if (state === 'quote' || state === 'closed') {
        if (byte === space) {
          this.#state = 'closed'
          at++
          continue
        }
        if (byte !== first && byte !== lineFeed && byte !== carriageReturn) {
          this.#strayLine ??= this.#line
          if (this.#quoteLine < this.#line) this.#strayOverLine ??= this.#line
        }
        this.#state = 'plain'
      } else {
        while (at < size && (byte = bytes[at] ?? 0) !== first && byte !== lineFeed && byte !== carriageReturn) at++
        if (at === size) break
        const needed = byte === first ? delimiter.length : byte === carriageReturn ? 2 : 1
        if (at + needed > size && !last) {
          this.#rest = bytes.subarray(at)
          this.#before = bytes[at - 1] ?? this.#before
          this.#keepHead(bytes, rowAt, at)
          return
        }
        if (byte === first) {
          const isDelimiter = delimiter.length === 1 || delimiter.equals(bytes.subarray(at, at + needed))
          at += isDelimiter ? needed : 1
          if (isDelimiter && this.#skipLines === 0) {
            this.#state = 'start'
            this.#delimiters++
          }
          continue
        }
        const end = byte === lineFeed ? '\n' : bytes[at + 1] === lineFeed ? '\r\n' : '\r'
        this.#rowBytes = at - rowAt
        this.#give(bytes, rowAt, end, null)
        at += end.length
        rowAt = at
      }
    }
    this.#before = bytes[size - 1] ?? this.#before
    this.#keepHead(bytes, rowAt, size)
  }

  /** Whether a byte within quotes begins a new line. */
  #breaks(byte: number, bytes: Buffer, at: number): boolean {
    if (byte !== lineFeed && (byte !== carriageReturn || this.#returns === false)) return false
    const isPair = byte === lineFeed && (bytes[at - 1] ?? this.#before) === carriageReturn
    if (this.#returns === null && byte === carriageReturn) this.#openReturns++
    else if (this.#returns === null && isPair) this.#openReturns--
    return this.#returns === true ? !isPair : byte === lineFeed
  }

  #keepHead(bytes: Buffer, rowAt: number, end: number): void {
    this.#rowBytes = end - rowAt
    if (this.#take !== null) this.#head = this.#begin(bytes, rowAt, end)
  }

  /** The bytes of a row up to `end`, or as many of them as are ever shown. */
  #begin(bytes: Buffer, rowAt: number, end: number): Buffer {
    const from = Math.max(0, rowAt)
    const part = bytes.subarray(from, Math.min(end, from + longestText - this.#head.length))
    return part.length === 0 ? this.#head : this.#head.length === 0 ? part : Buffer.concat([this.#head, part])
  }

  #give(bytes: Buffer, rowAt: number, end: CsvRow['end'], openLine: number | null): void {
    const size = this.#rowBytes
    if (this.#skipLines === 0) this.#longest = Math.max(this.#longest, size)
    if (this.#returns === null) {
      this.#returns = end === '\r'
      if (this.#returns) this.#line += this.#openReturns
    }
    const known = this.#take === null ? nothing : this.#begin(bytes, rowAt, rowAt + size)
    const separator = this.#number === this.#naming ? separatorIn(known.toString(this.#encoding)) : null
    this.#take?.({
      line: this.#rowLine,
      number: this.#number++,
      skipped: this.#skipLines > 0 || separator !== null,
      separator,
      blank: size === 0,
      values: this.#delimiters + 1,
      bytes: size,
      end,
      strayLine: this.#strayLine,
      strayOverLine: this.#strayOverLine,
      lastLine: this.#line,
      openLine,
      text: (most = shownBytes) => {
        const shown = known.subarray(0, most)
        // No half character where it is cut.
        return shown.length < size ? new StringDecoder(this.#encoding).write(shown) : shown.toString(this.#encoding)
      },
    })
    if (this.#skipLines > 0) this.#skipLines--
    this.#line++
    this.#rowLine = this.#line
    this.#rowBytes = 0
    this.#strayLine = null
    this.#strayOverLine = null
    this.#head = nothing
    this.#delimiters = 0
    this.#state = 'start'
  }
}
