/** What a file is, by what it holds and only then by what it is called. Pure. */
import { type DocumentLanguage, documentKind } from '../../../language/document-kind.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'
import { recordPaths } from './json-records.rules.ts'
import { type Encoding, delimiterOf, readHead } from './text-sniff.rules.ts'

export type RowsFormat = 'csv' | 'json' | 'jsonl' | 'parquet' | 'xlsx' | 'sqlite' | 'duckdb'

/** Why nothing can be done with a file. */
export type Refusal =
  | 'empty'
  | 'folder'
  | 'archive'
  | 'old-excel'
  | 'damaged-parquet'
  | 'damaged-excel'
  | 'gone'
  | 'no-kind'

export type FileKind =
  | { kind: 'bundle' }
  | { kind: 'document'; language: DocumentLanguage }
  | {
      kind: 'data'
      format: RowsFormat
      encoding: Encoding
      compressed: boolean
      /** The name says something else: `format` has to be written. */
      misnamed: boolean
    }
  | { kind: 'unknown'; why: Refusal }

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

const extensionOf = (name: string) => /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The first line of a bundle says that it is one; a name may say so, too. */
function isBundle(name: string, text: string): boolean {
  if (/\.headgate\.(ndjson|jsonl|json)$/i.test(name)) return true
  const line = text.replace(/^\uFEFF/, '').split('\n', 1)[0] ?? ''
  return /^\s*\{\s*"kind"\s*:\s*"bundle"/.test(line)
}

/** One document a line, or one document. */
function jsonFormat(text: string): 'json' | 'jsonl' {
  const [first, second] = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const whole = (line: string | undefined) => line !== undefined && /^\{.*\}$/.test(line)
  // A document may be written in one line, and hold its records in a list.
  if (second === undefined && recordPaths(text).length > 0) return 'json'
  return whole(first) && (second === undefined || second.startsWith('{')) ? 'jsonl' : 'json'
}

const isDocument = (text: string) => /^etl\s*:/m.test(text) && /^kind\s*:/m.test(text)

function textFormat(name: string, text: string, whole: boolean): RowsFormat | null {
  const named = formatOfPath(name).format
  const begins = text.replace(/^\uFEFF/, '').trimStart()[0]
  if (named === 'jsonl' || named === 'json' || begins === '{' || (begins === '[' && named !== 'csv')) {
    return jsonFormat(text)
  }
  if (named === 'csv') return 'csv'
  return delimiterOf(text, whole) === null ? null : 'csv'
}

const refused = (why: Refusal): FileKind => ({ kind: 'unknown', why })

/** A file by its name, its size and its first bytes. */
export function fileKindOf(name: string, size: number, head: Uint8Array): FileKind {
  if (size === 0) return refused('empty')
  const named = formatOfPath(name)
  const extension = extensionOf(name)
  const data = (format: RowsFormat, encoding: Encoding = 'utf-8', compressed = false): FileKind => {
    const byName = extension === 'duckdb' ? 'duckdb' : named.format
    const misnamed = format !== 'sqlite' && format !== 'duckdb' && byName !== format
    return { kind: 'data', format, encoding, compressed, misnamed }
  }
  if (ascii(head, 0, 15) === 'SQLite format 3') return data('sqlite')
  if (ascii(head, 8, 12) === 'DUCK') return data('duckdb')
  if (ascii(head, 0, 4) === 'PAR1') return data('parquet')
  if (ascii(head, 0, 4) === 'PK\u0003\u0004') return named.format === 'xlsx' ? data('xlsx') : refused('archive')
  if (head[0] === 0xd0 && head[1] === 0xcf) return refused('old-excel')
  const packed = (head[0] === 0x1f && head[1] === 0x8b) || (head[0] === 0x28 && head[1] === 0xb5)
  if (packed) {
    const inside = named.compression !== 'none' && named.format !== null && named.format !== 'xlsx'
    return inside && named.format ? data(named.format, 'utf-8', true) : refused('archive')
  }
  const whole = size <= head.length
  const read = readHead(head, whole)
  if (named.format === 'parquet' && read === null) return refused('damaged-parquet')
  if (named.format === 'xlsx' && read === null) return refused('damaged-excel')
  if (read === null) return refused('no-kind')
  const { text, encoding } = read
  if (text.trim() === '') return refused('empty')
  if (isBundle(name, text)) return { kind: 'bundle' }
  if (/^ya?ml$/.test(extension) || (named.format === null && isDocument(text))) {
    return { kind: 'document', language: documentKind(text) }
  }
  const format = textFormat(name, text, whole)
  return format === null ? refused('no-kind') : data(format, encoding)
}
