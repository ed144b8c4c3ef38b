import ExcelJS from 'exceljs'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { createZipWriter } from '../../../src/executor/formats/xlsx/zip-writer.ts'
import { createSharedStrings } from '../../../src/executor/formats/xlsx/strings.ts'
import { fileConnector, flow, runTask, temporaryFolder } from './run-task.ts'

/** Excel files made and read by another program than ours. */
async function workbook(fill: (book: ExcelJS.Workbook) => void, folder = temporaryFolder(), name = 'a.xlsx') {
  const book = new ExcelJS.Workbook()
  fill(book)
  await book.xlsx.writeFile(join(folder, name))
  return folder
}

const sheet =
  (rows: unknown[][], name = 'Sheet1') =>
  (book: ExcelJS.Workbook) =>
    void book.addWorksheet(name).addRows(rows)

async function read(folder: string, files = '{glob: a.xlsx}', steps = '[]') {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: ${files}}
steps: ${steps}
target: {connector: out, file: {path: out.jsonl}}
`,
    { in: fileConnector(folder), out: fileConnector(out) },
  )
  const rows =
    run.status === 'failed'
      ? []
      : readFileSync(join(out, 'out.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, unknown>)
  const types = Object.fromEntries((run.steps[0]?.columns ?? []).map((column) => [column.name, column.type]))
  return { run, rows, types }
}

async function write(rows: string, columns = '{}', steps = '[]', path = '{path: o.xlsx}') {
  const folder = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: write
connectors: {out: {type: file, access: write}}
source: {inline: {rows: ${rows}, columns: ${columns}}}
steps: ${steps}
target: {connector: out, file: ${path}}
`,
    { out: fileConnector(folder) },
  )
  return { run, folder }
}

describe('reading Excel', () => {
  it('gives columns the types of their cells', async () => {
    const folder = await workbook((book) => {
      const page = book.addWorksheet('Data')
      page.addRow(['id', 'amount', 'ok', 'day', 'at', 'time', 'text', 'mixed', 'none', 'formula', 'link', 'rich'])
      const row = page.addRow([
        9007199254740991,
        0.1,
        true,
        new Date(Date.UTC(2024, 1, 29)),
        new Date(Date.UTC(2024, 1, 29, 23, 59, 59, 123)),
        0.75,
        'ü \u{1F600} <&> \n"x"',
        1,
        null,
        { formula: 'A2*2', result: 18 },
        { text: 'site', hyperlink: 'https://example.com' },
        { richText: [{ text: 'a' }, { text: 'b', font: { bold: true } }] },
      ])
      row.getCell(4).numFmt = 'dd/mm/yyyy'
      row.getCell(5).numFmt = 'yyyy-mm-dd hh:mm:ss.000'
      row.getCell(6).numFmt = 'h:mm AM/PM'
      const second = page.addRow([
        -5,
        2,
        false,
        new Date(Date.UTC(1900, 0, 1)),
        new Date(Date.UTC(1999, 11, 31)),
        0,
        '',
        'two',
        null,
        { formula: '1/0', result: { error: '#DIV/0!' } },
      ])
      second.getCell(4).numFmt = '[$-407]d. mmmm yyyy;@'
      second.getCell(5).numFmt = 'm/d/yy h:mm'
      second.getCell(6).numFmt = 'hh:mm'
    })
    const { run, rows, types } = await read(folder)
    expect(run.error).toBeUndefined()
    expect(types).toEqual({
      id: 'BIGINT',
      amount: 'DOUBLE',
      ok: 'BOOLEAN',
      day: 'DATE',
      at: 'TIMESTAMP',
      time: 'TIME',
      text: 'VARCHAR',
      mixed: 'VARCHAR',
      none: 'VARCHAR',
      formula: 'BIGINT',
      link: 'VARCHAR',
      rich: 'VARCHAR',
    })
    expect(rows).toEqual([
      {
        id: 9007199254740991,
        amount: 0.1,
        ok: true,
        day: '2024-02-29',
        at: '2024-02-29 23:59:59.123',
        time: '18:00:00',
        text: 'ü \u{1F600} <&> \n"x"',
        mixed: '1',
        none: null,
        formula: 18,
        link: 'site',
        rich: 'ab',
      },
      expect.objectContaining({
        id: -5,
        amount: 2,
        ok: false,
        at: '1999-12-31 00:00:00',
        time: '00:00:00',
        mixed: 'two',
        formula: null,
        link: null,
      }),
    ])
    expect(run.status).toBe('completed')
    expect(run.log.find((line) => line.level === 'warn')?.message).toContain('1 × #DIV/0!')
  })

  it.each(['', '<v/>', '<v />', '<v></v>'])(
    'reports formulas without a stored result, written as “%s”',
    async (value) => {
      const folder = temporaryFolder()
      const text = (cell: string, words: string): string => `<c r="${cell}" t="inlineStr"><is><t>${words}</t></is></c>`
      const cells = `<c r="A2"><v>1</v></c><c r="B2"><f>A2*2</f>${value}</c><c r="C2" t="str"><f>""</f><v></v></c><c r="D2"/>`
      const rows = `<row r="1">${text('A1', 'a')}${text('B1', 'b')}${text('C1', 'c')}</row><row r="2">${cells}</row>`
      const handle = await open(join(folder, 'a.xlsx'), 'w')
      const zip = createZipWriter(handle)
      await zip.add('xl/workbook.xml', [
        '<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
      ])
      await zip.add('xl/_rels/workbook.xml.rels', [
        '<Relationships><Relationship Id="r1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ])
      await zip.add('xl/worksheets/sheet1.xml', [`<worksheet><sheetData>${rows}</sheetData></worksheet>`])
      await zip.finish()
      await handle.close()
      const { run, rows: read_ } = await read(folder)
      expect(read_).toEqual([{ a: 1, b: null, c: null }])
      expect(run.log.filter((line) => line.level === 'warn').map((line) => line.message)).toEqual([
        'Formulas without a stored result are read as NULL: 1. Open the workbook in Excel and save it.',
      ])
    },
  )

  it('reads the days of both calendars', async () => {
    const serials = (date1904: boolean) => (book: ExcelJS.Workbook) => {
      book.properties.date1904 = date1904
      const page = book.addWorksheet('x')
      page.addRow(['day'])
      for (const serial of [1, 59, 61, 45000]) page.addRow([serial]).getCell(1).numFmt = 'yyyy-mm-dd'
    }
    expect((await read(await workbook(serials(false)))).rows.map((row) => row['day'])).toEqual([
      '1900-01-01',
      '1900-02-28',
      '1900-03-01',
      '2023-03-15',
    ])
    expect((await read(await workbook(serials(true)))).rows.map((row) => row['day'])).toEqual([
      '1904-01-02',
      '1904-02-29',
      '1904-03-02',
      '2027-03-16',
    ])
  })

  it('reads dates whose format has a condition, and keeps the day that no calendar has as a number', async () => {
    const folder = await workbook((book) => {
      const page = book.addWorksheet('Data')
      page.addRow(['a', 'b', 'c', 'd'])
      for (const serial of [45000, 60]) page.addRow([serial, serial, serial, serial])
      page.getColumn(1).numFmt = '[=0]"";dd.mm.yyyy'
      page.getColumn(2).numFmt = '[<=9999999]###-####;(###) ###-####'
      page.getColumn(3).numFmt = 'yyyy-mm-dd'
      page.getColumn(4).numFmt = '[Red][=0]"none";[h]:mm'
    })
    const { rows, run } = await read(folder)
    expect(rows).toEqual([
      { a: '2023-03-15', b: 45000, c: '2023-03-15', d: 45000 },
      { a: '60', b: 60, c: '60', d: 60 },
    ])
    expect(run.log.map(({ message }) => message)).toContain(
      'Column `c`, 2 values: one of several kinds (dates, numbers), read as VARCHAR',
    )
  })

  it('says where one cell of another kind makes a whole column text', async () => {
    const rows: unknown[][] = Array.from({ length: 5000 }, (_, at) => [at])
    const { run, types } = await read(await workbook(sheet([['a'], ...rows, ['n/a']])))
    expect(types).toEqual({ a: 'VARCHAR' })
    expect(run.log.map(({ message }) => message)).toContain(
      'Column `a`, 5,000 values: one of several kinds (numbers, texts), read as VARCHAR',
    )
  })

  it('takes a sheet by its name, rows below others, and columns without names', async () => {
    const folder = await workbook((book) => {
      sheet([['no'], ['nothing']])(book)
      sheet([['Report of May'], [], ['id', 'name'], [1, 'x'], [], [2, null]], 'Übersicht')(book)
    })
    expect((await read(folder, '{glob: a.xlsx, xlsx: {sheet: übersicht, skip_rows: 2}}')).rows).toEqual([
      { id: 1, name: 'x' },
      { id: 2, name: null },
    ])
    const bare = await read(folder, '{glob: a.xlsx, xlsx: {sheet: Übersicht, header: false, skip_rows: 3}}')
    expect(bare.rows).toEqual([
      { column1: 1, column2: 'x' },
      { column1: 2, column2: null },
    ])
    const { run } = await read(folder, '{glob: a.xlsx, xlsx: {sheet: Ubersicht}}')
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', message: 'a.xlsx has no sheet `Ubersicht`' })
    expect(run.error?.hint).toContain('`Übersicht`')
  })

  describe('of merged cells', () => {
    const merged = () =>
      workbook((book) => {
        const page = book.addWorksheet('Data')
        page.addRows([['Report'], ['region', 'city', 'sum', 'note']])
        page.mergeCells('A1:D1')
        for (let at = 0; at < 6; at++)
          page.addRow([at % 3 === 0 ? `r${at}` : null, `c${at}`, at, at === 5 ? 'x' : null])
        page.mergeCells('A3:A5')
        page.mergeCells('A6:A8')
        page.mergeCells('C7:D7')
      })

    it('reads the first one, and says how many are NULL', async () => {
      const { run, rows } = await read(await merged(), '{glob: a.xlsx, xlsx: {skip_rows: 1}}')
      expect(rows.map(({ region }) => region)).toEqual(['r0', null, null, 'r3', null, null])
      expect(run).toMatchObject({ status: 'success' })
      expect(run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
        'a.xlsx, sheet Data: 5 cells of 3 merged ranges are read as NULL, because only the first cell of a range has a value. Set `xlsx.merged_cells: repeat` to repeat it.',
      ])
    })

    it('repeats its value where the task says so', async () => {
      const { run, rows } = await read(await merged(), '{glob: a.xlsx, xlsx: {skip_rows: 1, merged_cells: repeat}}')
      expect(rows.map((row) => [row['region'], row['sum'], row['note']])).toEqual([
        ['r0', 0, null],
        ['r0', 1, null],
        ['r0', 2, null],
        ['r3', 3, null],
        ['r3', 4, '4'],
        ['r3', 5, 'x'],
      ])
      expect(run.log.filter(({ message }) => message.includes('merged'))).toEqual([])
    })

    it('shows in a preview, of rows behind those that it shows as well', async () => {
      const work = {
        kind: 'preview' as const,
        yaml_content:
          'etl: 1\nkind: pipeline\nname: p\nconnectors: {in: {type: file, access: read}, out: {type: file, access: write}}\nsource: {connector: in, files: {glob: a.xlsx, xlsx: {skip_rows: 1}}}\ntarget: {connector: out, file: {path: o.csv}}\n',
        arguments: {},
        connectors: { in: fileConnector(await merged()), out: fileConnector(temporaryFolder()) },
        step: null,
        limit: 1,
      }
      const { value } = await runCall(work, { signal: new AbortController().signal, tempDir: temporaryFolder() })
      expect(value).toMatchObject({
        stages: [
          { notes: [{ code: 'merged_cells_null', params: { where: 'a.xlsx, sheet Data', cells: 5, ranges: 3 } }] },
        ],
      })
    })
  })

  it('casts to the types that the task declares, or rejects what does not fit', async () => {
    const folder = await workbook(
      sheet([
        ['id', 'amount', 'code'],
        [1, 1.25, 7],
        [2, 'none', 'A'],
      ]),
    )
    const types = '{id: string, amount: "decimal(10,2)", code: string}'
    const failed = await read(folder, `{glob: a.xlsx, columns: ${types}}`)
    expect(failed.run.error).toMatchObject({
      code: 'CAST_FAILED',
      message: 'a.xlsx, sheet Sheet1, row 3: Column `amount` holds “none”, which is no decimal(10,2)',
    })
    const { run, rows } = await read(folder, `{glob: a.xlsx, columns: ${types}, on_error: quarantine}`)
    expect(flow(run)).toBe('source 2→1 -1 | target 1→1')
    expect(rows).toEqual([{ id: '1', amount: 1.25, code: '7' }])
  })

  it('reads columns whatever they are called', async () => {
    const names = ['id', '__proto__', 'constructor', 'toString']
    const { run, rows } = await read(await workbook(sheet([names, [1, 'a', 'b', 'c'], [2, 'd']])))
    expect(run.error).toBeUndefined()
    expect(rows.map((row) => Object.entries(row))).toEqual([
      [
        ['id', 1],
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
      ],
      [
        ['id', 2],
        ['__proto__', 'd'],
        ['constructor', null],
        ['toString', null],
      ],
    ])
  })

  it('reads several workbooks as one, by place or by name', async () => {
    const folder = await workbook(
      sheet([
        ['id', 'a'],
        [1, 'x'],
      ]),
    )
    await workbook(
      sheet([
        ['a', 'id', 'b'],
        ['y', 2, true],
      ]),
      folder,
      'b.xlsx',
    )
    const { run } = await read(folder, '{glob: "*.xlsx"}')
    expect(run.error?.message).toContain(
      'b.xlsx, sheet Sheet1 does not match a.xlsx, the first file. It has different columns: extra `b`',
    )
    expect((await read(folder, '{glob: "*.xlsx", union_by_name: true}')).rows).toEqual([
      { id: 1, a: 'x', b: null },
      { id: 2, a: 'y', b: true },
    ])
  })

  it('renames a second column of the same name, and the log says so', async () => {
    const rows = [
      ['id', 'Id', 'id_1'],
      [1, 2, 3],
    ]
    const { run, rows: found } = await read(await workbook(sheet(rows)))
    expect(run.error).toBeUndefined()
    expect(found).toEqual([{ id: 1, Id_2: 2, id_1: 3 }])
    expect(JSON.stringify(run.log)).toContain('`Id` in column 2 is called `Id_2`')
  })

  it.each([
    [
      'a column without a name that has values',
      [
        ['id', null, 'x'],
        [1, 2, 3],
      ],
      'a.xlsx, sheet Sheet1: column B has no name, but row 2 has a value there',
    ],
    ['values beside the table', [['id'], [1, null, null, 'note']], 'column D has no name, but row 2 has a value there'],
    ['a sheet without anything', [], 'is empty: there is no row with the columns’ names'],
  ])('refuses %s', async (_, rows, message) => {
    const { run } = await read(await workbook(sheet(rows)))
    expect(run.error?.message).toContain(message)
    expect(run.error?.hint).toBeDefined()
  })

  it('keeps a character that no text file holds, and whole numbers of any length', async () => {
    const { folder } = await write(
      '[{a: 1}]',
      '{}',
      `[{derive: {z: "'x' || chr(0) || 'y'", n: "CAST('-170141183460469231731687303715884105728' AS HUGEINT)"}}]`,
    )
    const { run, rows } = await read(
      folder,
      '{glob: o.xlsx}',
      '[{derive: {code: "unicode(z[2])", size: "length(z)"}}, {drop: [z]}]',
    )
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ a: 1, n: '-170141183460469231731687303715884105728', code: 0, size: 3 }])
  })

  it('reads a large whole number as its shortest text says, not as the binary number is', async () => {
    const book = await workbook(sheet([['n'], [363592736631635000]]))
    const { run, rows } = await read(book, '{glob: a.xlsx, columns: {n: "decimal(19,0)"}}')
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ n: '363592736631635000' }])
  })

  it('reads a sheet of names alone as no rows', async () => {
    const { run, types } = await read(await workbook(sheet([['id', 'name']])), '{glob: a.xlsx, columns: {id: integer}}')
    expect(run).toMatchObject({ status: 'success', item_count: 0 })
    expect(types).toEqual({ id: 'BIGINT', name: 'VARCHAR' })
  })

  it('says what is wrong with a file that is none', async () => {
    const good = readFileSync(
      join(await workbook(sheet([['id'], ...Array.from({ length: 5000 }, (_, n) => [n])])), 'a.xlsx'),
    )
    const damaged = Buffer.from(good)
    const middle = damaged.indexOf('xl/worksheets/sheet1.xml') + 200
    damaged.fill(0x55, middle, middle + 300)
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4000)])
    const files: [Buffer, RegExp][] = [
      [Buffer.from('id,name\n1,x\n'), /cannot be read as an Excel workbook: it is no ZIP archive/],
      [good.subarray(0, good.length - 400), /cannot be read as an Excel workbook/],
      [damaged, /cannot be read as an Excel workbook/],
      [old, /workbook in the old format \(\.xls\)/],
      [Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]), /is protected by a password/],
      [Buffer.alloc(0), /cannot be read as an Excel workbook/],
    ]
    for (const [bytes, message] of files) {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'a.xlsx'), bytes)
      const { run } = await read(folder)
      expect(run.error).toMatchObject({
        code: 'FILE_UNREADABLE',
        step: 'source',
        message: expect.stringMatching(message),
      })
      expect(run.error?.hint).toBeDefined()
    }
  })
})

describe('texts that cells share', () => {
  it('are found again, also those that are kept on the disk', () => {
    const file = join(temporaryFolder(), 'texts')
    const strings = createSharedStrings(file)
    const text = (n: number) => `${n} \u{1F600} ${'x'.repeat(n % 7 === 0 ? 70_000 : 300)}`
    for (let n = 0; n < 4000; n++) strings.add(text(n))
    expect(existsSync(file)).toBe(true)
    for (const n of [0, 1, 1000, 2500, 3999, 2501, 0]) expect(strings.get(n) === text(n)).toBe(true)
    expect(strings.get(4000)).toBeUndefined()
    strings.close()
    expect(existsSync(file)).toBe(false)
  })
})

describe('writing Excel', () => {
  it('writes cells that another program reads with the same types', async () => {
    const { run, folder } = await write(
      '[{n: 1, d: "12.30", long: "12345678901234567.89", b: true, day: "2024-02-29", at: "2024-02-29T23:59:59.5Z", t: "18:30:00", s: "a<&>\\n\u{1F600}", e: "", z: null}]',
      '{d: "decimal(18,2)", long: "decimal(30,2)", day: date, at: datetime, t: time, z: string}',
      '[{derive: {mark: "chr(65279) || \'x\'", big: "9223372036854775807", f: "1.5e300", inf: "CAST(\'inf\' AS DOUBLE)", ctl: "chr(7) || \'_x0041_\'", old: "DATE \'1850-01-02\'"}}]',
      '{path: o.xlsx, xlsx: {sheet: Ä & B}}',
    )
    expect(run.error).toBeUndefined()
    const book = new ExcelJS.Workbook()
    await book.xlsx.readFile(join(folder, 'o.xlsx'))
    const page = book.getWorksheet('Ä & B')
    const cells = Object.fromEntries(
      ((page?.getRow(1).values ?? []) as string[])
        .slice(1)
        .map((name, index) => [name, page?.getRow(2).getCell(index + 1).value]),
    )
    expect(cells).toEqual({
      n: 1,
      d: 12.3,
      long: '12345678901234567.89',
      b: true,
      day: new Date(Date.UTC(2024, 1, 29)),
      at: new Date(Date.UTC(2024, 1, 29, 23, 59, 59, 500)),
      t: new Date(Date.UTC(1899, 11, 30, 18, 30)),
      s: 'a<&>\n\u{1F600}',
      e: null, // that program knows no empty texts
      z: null,
      mark: '\uFEFFx',
      big: '9223372036854775807',
      f: 1.5e300,
      inf: 'inf',
      ctl: expect.any(String),
      old: '1850-01-02',
    })
    const back = await read(folder, '{glob: o.xlsx}')
    expect(back.run.error).toBeUndefined()
    expect(back.rows[0]).toMatchObject({
      ctl: '\u0007_x0041_',
      s: 'a<&>\n\u{1F600}',
      e: '',
      z: null,
      at: '2024-02-29 23:59:59.5',
      t: '18:30:00',
      day: '2024-02-29',
    })
    expect(back.types).toMatchObject({
      n: 'BIGINT',
      b: 'BOOLEAN',
      day: 'DATE',
      at: 'TIMESTAMP',
      t: 'TIME',
      f: 'DOUBLE',
      big: 'VARCHAR',
    })
  })

  it('writes no more rows and no longer texts than Excel holds, and leaves the old file', async () => {
    const folder = temporaryFolder()
    const many = (steps: string) =>
      runTask(
        `etl: 1
kind: pipeline
name: many
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
steps: ${steps}
target: {connector: out, file: {path: o.xlsx}}
`,
        { out: fileConnector(folder) },
      )
    writeFileSync(join(folder, 'o.xlsx'), 'old')
    const rows = await many('[{sql: "SELECT range AS n FROM stream, range(1048576)"}]')
    expect(rows.error).toMatchObject({ code: 'FILE_UNWRITABLE', step: 'target' })
    expect(rows.error?.message).toContain('1,048,575 rows')
    const text = await many('[{derive: {long: "repeat(\'x\', 32768)"}}]')
    expect(text.error?.message).toContain('Column `long` holds a text of 32,768 characters (row 2 of the sheet)')
    expect(readdirSync(folder)).toEqual(['o.xlsx'])
    expect(readFileSync(join(folder, 'o.xlsx'), 'utf8')).toBe('old')
  })

  it('writes a sheet without rows', async () => {
    const { run, folder } = await write('[]', '{id: integer, name: string}')
    expect(run).toMatchObject({ status: 'success', item_count: 0 })
    const back = await read(folder, '{glob: o.xlsx}')
    expect(Object.keys(back.types)).toEqual(['id', 'name'])
  })

  it('keeps 300,000 rows of texts and numbers through a workbook', async () => {
    const folder = temporaryFolder()
    const copy = (glob: string, path: string, steps = '[]') =>
      runTask(
        `etl: 1
kind: pipeline
name: copy
connectors: {lake: {type: file, access: read_write}}
source: {connector: lake, files: {glob: ${glob}}}
steps: ${steps}
target: {connector: lake, file: {path: ${path}}}
`,
        { lake: fileConnector(folder) },
      )
    writeFileSync(join(folder, 'seed.csv'), 'a\n1\n')
    const generated = await copy(
      'seed.csv',
      'a.csv',
      `[{sql: "SELECT range AS id, md5(CAST(range AS VARCHAR)) AS t, range / 8 AS f, DATE '2020-01-01' + CAST(range % 1000 AS INTEGER) AS d FROM stream, range(300000)"}]`,
    )
    expect(generated.error).toBeUndefined()
    const out = await copy('a.csv', 'a.xlsx')
    expect(out.error).toBeUndefined()
    const back = await copy('a.xlsx', 'b.csv')
    expect(back.error).toBeUndefined()
    expect(readFileSync(join(folder, 'b.csv')).equals(readFileSync(join(folder, 'a.csv')))).toBe(true)
  })
})
