import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { CsvRows, type CsvRow } from '../../../src/executor/formats/csv/rows.ts'
import type { CsvReadOptions } from '../../../src/language/task/sources/source.types.ts'

const usual: CsvReadOptions = {
  delimiter: ',',
  header: true,
  quote: '"',
  escape: '"',
  null_values: [''],
  quoted_nulls: false,
  encoding: 'utf-8',
  skip_lines: 0,
}

type Seen = Omit<CsvRow, 'text'> & { text: string }

/** What is found in a text, which comes in pieces of so many bytes. */
function rowsOf(text: string, more: Partial<CsvReadOptions> = {}, size = 1_000): Seen[] {
  const found: Seen[] = []
  const rows = new CsvRows({ ...usual, ...more }, (row) => void found.push({ ...row, text: row.text() }))
  const bytes = Buffer.from(text, more.encoding === 'latin-1' ? 'latin1' : 'utf8')
  for (let at = 0; at < bytes.length; at += size) rows.push(bytes.subarray(at, at + size))
  rows.end()
  return found
}

/** Each as `line: first line of its text`, with what is wrong with it. */
function shown(text: string, more?: Partial<CsvReadOptions>): string[] {
  return rowsOf(text, more).flatMap((row) => {
    if (row.skipped) return []
    const wrong =
      row.openLine === null ? (row.strayLine === null ? '' : ` stray ${row.strayLine}`) : ` open ${row.openLine}`
    return `${row.line}: ${row.blank ? '-' : row.text.split(/[\r\n]/, 1)[0]}${wrong}`
  })
}

describe('rows of a CSV file', () => {
  it.each<[string, string[], Partial<CsvReadOptions>?]>([
    ['a,b\n1,2\n', ['1: a,b', '2: 1,2']],
    ['a,b\r\n1,2', ['1: a,b', '2: 1,2']],
    ['a\r\rb\r', ['1: a', '2: -', '3: b']],
    ['"a\nb",c\n1,2\n', ['1: "a', '3: 1,2']],
    ['a\r"b\rc",d\re\r', ['1: a', '2: "b', '4: e']],
    ['a\r1,"b\rc" d,"e\rf"\rg\r', ['1: a', '2: 1,"b stray 3', '5: g']],
    ['a\r"b\r\nc\nd"\re\r', ['1: a', '2: "b', '5: e']],
    ['"a\rb\r\nc"\rd\r', ['1: "a', '4: d']],
    ['a\n"b\rc"\nd\n', ['1: a', '2: "b', '3: d']],
    ['1,"a ""b"""\n2,""\n', ['1: 1,"a ""b"""', '2: 2,""']],
    [' "a\nb" ,"c" \nd\n', ['1:  "a', '3: d']],
    ['5" x,a"b\nc\n', ['1: 5" x,a"b', '2: c']],
    ['1,"b" c\nd\n', ['1: 1,"b" c stray 1', '2: d']],
    ['1,"b\nc" d,"e\nf"\ng\n', ['1: 1,"b stray 2', '4: g']],
    ['a\n1,"b\n2,c\n', ['1: a', '2: 1,"b open 2']],
    ['a\n"x\ny","\n', ['1: a', '2: "x open 3']],
    ['a\n"', ['1: a', '2: " open 2']],
    ["a\n'b\nc';1\n", ['1: a', "2: 'b"], { quote: "'", delimiter: ';' }],
    ['a\n"b\\"\nc"\nd', ['1: a', '2: "b\\"', '4: d'], { escape: '\\' }],
    ['a\n"b\nc\n', ['1: a', '2: "b', '3: c'], { quote: '' }],
    ['about "\n\na\n', ['3: a'], { skip_lines: 2 }],
    ['about ","\r\r\na\r', ['3: a'], { skip_lines: 2 }],
    ['\ufeff"a\nb"\nc', ['1: "a', '3: c']],
    ['a§"b\nc"§d\ne', ['1: a§"b', '3: e'], { delimiter: '§' }],
    ['a§"b\nc"§d\ne', ['1: a§"b', '3: e'], { delimiter: '§', encoding: 'latin-1' }],
  ])('of %j are %j', (text, rows, more) => {
    expect(shown(text, more)).toEqual(rows)
  })

  it('have all lines of their values in their text, without the line end behind them', () => {
    const texts = rowsOf('"a\nb",c\r\n1,"d\r\ne"\r\n2,f', {}, 3).map(({ text }) => text)
    expect(texts).toEqual(['"a\nb",c', '1,"d\r\ne"', '2,f'])
  })

  it('are the same however the bytes come', () => {
    const texts = fc.stringMatching(/^[ab,§" \r\n]{0,40}$/)
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(',', '§'),
        fc.nat(2),
        (text, size, delimiter, skip_lines) => {
          const summary = (rows: Seen[]) => rows.map(({ text: _, ...row }) => row)
          const more = { delimiter, skip_lines }
          expect(summary(rowsOf(text, more, size))).toEqual(summary(rowsOf(text, more)))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('end within quotes whether pieces without quotes are skipped or not', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a, \r\n]{0,9}("[a, \n]{0,9}){0,5}$/),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          const [all, skipping] = [new CsvRows(usual, null), new CsvRows(usual, null)]
          const bytes = Buffer.from(text)
          for (let at = 0; at < bytes.length; at += size) {
            all.push(bytes.subarray(at, at + size))
            skipping.skip(bytes.subarray(at, at + size))
          }
          expect(skipping.end()).toBe(all.end())
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
