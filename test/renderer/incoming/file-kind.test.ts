import { expect, test } from 'vitest'
import { fileKindOf } from '../../../src/renderer/features/incoming/file-kind.rules.ts'
import {
  delimiterOf,
  hasHeader,
  readHead,
  recordsOf,
} from '../../../src/renderer/features/incoming/text-sniff.rules.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const kindOf = (name: string, content: string | Uint8Array) => {
  const head = typeof content === 'string' ? bytes(content) : content
  return fileKindOf(name, head.length, head)
}

test('what a file holds goes before what it is called', () => {
  expect(kindOf('orders.csv', 'PAR1\u0001\u0000')).toMatchObject({ format: 'parquet', misnamed: true })
  expect(kindOf('orders.parquet', 'id,name\n1,a\n')).toMatchObject({ format: 'csv', misnamed: true })
  expect(kindOf('orders.csv', 'id,name\n1,a\n')).toMatchObject({ format: 'csv', misnamed: false })
  expect(kindOf('app.db', 'SQLite format 3\u0000')).toMatchObject({ kind: 'data', format: 'sqlite', misnamed: false })
  expect(kindOf('export.dat', 'id;name\n1;a\n2;b\n')).toMatchObject({ format: 'csv', misnamed: true })
  expect(kindOf('warehouse.duckdb', '12345678DUCK\u0000')).toMatchObject({ format: 'duckdb' })
  expect(kindOf('book.xlsx', 'PK\u0003\u0004\u0000')).toMatchObject({ format: 'xlsx', misnamed: false })
  expect(kindOf('orders.csv.gz', new Uint8Array([0x1f, 0x8b, 8, 0]))).toMatchObject({ format: 'csv', compressed: true })
})

test('JSON is one document, or one a line', () => {
  expect(kindOf('a.json', '[{"a": 1},\n {"a": 2}]')).toMatchObject({ format: 'json', misnamed: false })
  expect(kindOf('a.json', '{"a": 1}\n{"a": 2}\n')).toMatchObject({ format: 'jsonl', misnamed: true })
  expect(kindOf('a.ndjson', '{"a": 1}\n')).toMatchObject({ format: 'jsonl', misnamed: false })
  expect(kindOf('a.json', '{"data": {\n "items": []}}')).toMatchObject({ format: 'json' })
})

test('bundles and documents are known by their text', () => {
  expect(kindOf('x.headgate.ndjson', 'anything')).toEqual({ kind: 'bundle' })
  expect(kindOf('backup.ndjson', '{"kind":"bundle","version":1}\n')).toEqual({ kind: 'bundle' })
  expect(kindOf('a.yaml', 'etl: 1\nkind: pipeline\n')).toEqual({ kind: 'document', language: 'task' })
  expect(kindOf('a.yml', 'etl: 1\nkind: job\n')).toEqual({ kind: 'document', language: 'job' })
  expect(kindOf('b.yaml', 'etl: 1\nkind: dashboard\n')).toEqual({ kind: 'document', language: 'dashboard' })
  expect(kindOf('broken.yaml', 'etl: [1\n  kind')).toEqual({ kind: 'document', language: 'task' })
  expect(kindOf('task.txt', 'etl: 1\nkind: job\nname: x\n')).toEqual({ kind: 'document', language: 'job' })
})

test('what cannot be opened says why', () => {
  expect(kindOf('a.csv', '')).toEqual({ kind: 'unknown', why: 'empty' })
  expect(kindOf('a.csv', ' \n\n')).toEqual({ kind: 'unknown', why: 'empty' })
  expect(kindOf('a.zip', 'PK\u0003\u0004')).toEqual({ kind: 'unknown', why: 'archive' })
  expect(kindOf('a.xls', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]))).toEqual({ kind: 'unknown', why: 'old-excel' })
  expect(kindOf('a.parquet', 'abc\u0000')).toEqual({ kind: 'unknown', why: 'damaged-parquet' })
  expect(kindOf('a.xlsx', 'abc\u0000')).toEqual({ kind: 'unknown', why: 'damaged-excel' })
  expect(kindOf('photo.jpg', new Uint8Array([0xff, 0xd8, 0, 1]))).toEqual({ kind: 'unknown', why: 'no-kind' })
  expect(kindOf('notes.txt', 'Dear Sir\nthis is a letter\n')).toEqual({ kind: 'unknown', why: 'no-kind' })
})

test('the delimiter is the one that cuts the lines evenly, not the one that is there most often', () => {
  expect(delimiterOf('id;amount\n1;3,50\n2;4,75\n', true)).toBe(';')
  expect(delimiterOf('a\tb\n1\t"x, y, z"\n', true)).toBe('\t')
  expect(delimiterOf('a,b\n1,"x;y\n;z"\n', true)).toBe(',')
  expect(delimiterOf('one\ntwo\n', true)).toBeNull()
})

test('a first line of values is no header', () => {
  const headed = (text: string) => hasHeader(recordsOf(text, ',', true))
  expect(headed('id,name\n1,a\n')).toBe(true)
  expect(headed('1,2026-01-02,a\n2,2026-01-03,b\n')).toBe(false)
  expect(headed('a,a\n1,2\n')).toBe(false)
  expect(headed('x,,z\n')).toBe(false)
  expect(headed('red,blue\nred,blue\n')).toBe(false)
})

test('the encoding is told by the bytes; a character that was cut is no fault', () => {
  expect(readHead(bytes('Zürich').subarray(0, 2), false)).toEqual({ encoding: 'utf-8', text: 'Z' })
  expect(readHead(new Uint8Array([0x5a, 0xfc, 0x72]), true)).toEqual({ encoding: 'windows-1252', text: 'Zür' })
  expect(readHead(new Uint8Array([0xff, 0xfe, 0x61, 0]), true)).toEqual({ encoding: 'utf-16', text: 'a' })
  expect(readHead(new Uint8Array([1, 0, 2]), true)).toBeNull()
})

test('UTF-16 without a byte order mark is told by the zeros between its letters, and other zeros are no text', () => {
  const text = 'name,city\nZoë,Berlin\nAda,Łódź\n'
  const little = Uint8Array.from(Buffer.from(text, 'utf16le'))
  const big = Uint8Array.from(Buffer.from(text, 'utf16le').swap16())
  expect(readHead(little, true)).toEqual({ encoding: 'utf-16', text })
  expect(readHead(big, true)).toEqual({ encoding: 'utf-16be', text })
  expect(kindOf('people.csv', big)).toMatchObject({ kind: 'data', format: 'csv', encoding: 'utf-16be' })
  // Cut within a character.
  expect(readHead(little.subarray(0, 15), false)).toMatchObject({ encoding: 'utf-16' })
  expect(
    readHead(
      Uint8Array.from({ length: 400 }, (_, at) => (at % 4 === 0 ? 7 : 0)),
      true,
    ),
  ).toBeNull()
  expect(
    readHead(
      Uint8Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 7 : 0)),
      true,
    ),
  ).toBeNull()
})
