import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { rowsAbove, totalsBelow } from '../../../src/renderer/features/incoming/table-start.rules.ts'
import { delimiterOf, placedRecords } from '../../../src/renderer/features/incoming/text-sniff.rules.ts'
import { sheetRows } from '../../../src/renderer/features/incoming/xlsx-sheets.ts'

function startOf(text: string) {
  const delimiter = delimiterOf(text, true) ?? ','
  const rows = placedRecords(text, delimiter, true, '"').map(({ line, fields }) => ({
    number: line,
    width: fields.length,
    filled: fields.filter((field) => field.trim() !== '').length,
  }))
  return { delimiter, above: rowsAbove(rows) }
}

describe('lines above the header', () => {
  it.each([
    [
      'a title, a line of a date and a blank one',
      'Report 2024\nMade on 1 March;;\n\nday;name;sum\n1;a;2\n2;b;3\n',
      ';',
      3,
    ],
    ['one title', 'Sales, January\nday;sum\n1;2\n2;3\n3;4\n', ';', 1],
    ['pairs of what an account is', 'Account;DE12\nPeriod;March\nday;text;sum;rest\n1;a;2;3\n2;b;3;4\n', ';', 2],
    ['pairs and a blank line above three columns', 'Account;DE12\n\nday;text;sum\n1;a;2\n2;b;3\n', ';', 2],
    ['a title of two lines in quotes', '"Report\n2024"\nday\tsum\ttext\n1\t2\ta\n2\t3\tb\n', '\t', 2],
    ['pairs as wide as the table', 'Account;DE12;;\nPeriod;March;;\n\nday;text;sum;rest\n1;a;2;3\n2;b;3;4\n', ';', 3],
    ['the same with a line of delimiters', 'Sales;;\nMade;March;\n;;\nday;text;sum\n1;a;2\n2;b;3\n', ';', 3],
  ])('are %s', (_, text, delimiter, above) => {
    expect(startOf(text)).toEqual({ delimiter, above })
  })

  it.each([
    ['names and rows', 'day;name;sum\n1;a;2\n2;b;3\n', ';'],
    ['a first column without a name', ';name;sum\n1;a;2\n2;b;3\n', ';'],
    ['rows that end with a delimiter', 'id,name,sum\n1,a,2,\n2,b,3,\n', ','],
    ['a row that has too few values', 'id,name,sum\n1,a,2\n2,b\n3,c,4\n', ','],
    ['numbers with a decimal comma', 'name;sum\na;1,5\nb;2,5\nc;3,5\n', ';'],
    ['one column', 'name\na\nb\n', ','],
  ])('are none above %s', (_, text, delimiter) => {
    expect(startOf(text)).toEqual({ delimiter, above: 0 })
  })
})

describe('sums below the rows', () => {
  it.each([
    ['a sum', 'a;1;x\nb;2;y\nSumme;;3\n', 1],
    ['a sum with what stands beside it', 'a;1;x\nb;2;y\n;;\nИтого:;3;\n', 2],
    ['a sum of two columns', '2024-01-01;1\n2024-01-02;2\nTotal;3\n', 1],
  ])('are %s', (_, text, count) => {
    expect(totalsBelow(placedRecords(text, ';', true, '"').map(({ fields }) => fields))).toBe(count)
  })

  it.each([
    ['rows', 'a;1;x\nb;2;y\nc;3;z\n'],
    ['rows with gaps', 'a;;\nb;2;y\nc;;\n'],
    ['a last row with gaps', 'a;1;x\nb;2;y\nc;;\n'],
    ['rows of totals', 'Total a;1;x\nTotal b;2;y\n'],
  ])('are none of %s', (_, text) => {
    expect(totalsBelow(placedRecords(text, ';', true, '"').map(({ fields }) => fields))).toBe(0)
  })
})

/** An archive of several parts. */
function zipOf(parts: Record<string, string>): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const data = deflateRawSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    locals.push(local, Buffer.from(name), data)
    entries.push(entry, Buffer.from(name))
    at += 30 + name.length + data.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

it('rows of a sheet are read from its beginning, however long it is', async () => {
  const filler = Array.from(
    { length: 60_000 },
    (_, at) =>
      `<row r="${at + 6}"><c r="A${at + 6}"><v>${(at * 7919) % 10_007}</v></c><c r="B${at + 6}"><v>${at}</v></c></row>`,
  ).join('')
  const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="s" s="3"><v>0</v></c><c r="B1" s="3"/></row><row r="2"/><row r="5"><c r="A5" t="inlineStr"><is><t>day</t></is></c><c r="B5" t="s"><v>2</v></c></row>${filler}</sheetData></worksheet>`
  const bytes = new Uint8Array(
    zipOf({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="One" sheetId="1" r:id="rId7"/><sheet name="Two" sheetId="2" r:id="rId9"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/><Relationship Target="/xl/worksheets/b.xml" Id="rId9"/></Relationships>',
      'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
      'xl/worksheets/b.xml': sheet,
    }),
  )
  const file = { size: bytes.length, read: async (start: number, end: number) => bytes.slice(start, end) }
  const rows = (await sheetRows(file, 'Two')) ?? []
  expect(rows.slice(0, 3)).toEqual([
    { number: 1, width: 1, filled: 1 },
    { number: 5, width: 2, filled: 2 },
    { number: 6, width: 2, filled: 2 },
  ])
  expect(rows.length).toBeLessThan(60_000)
  expect(rowsAbove(rows)).toBe(4)
  expect(await sheetRows(file, null)).toEqual([])
})
