import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'

const read = (content: string | Buffer, files = '', steps = '[]') =>
  readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files, steps })

describe('numbers that are written in another way', () => {
  const marks: [string, string, string, string | number][] = [
    ['{decimal: ",", thousands: "."}', '1.234,56', 'decimal(12,2)', 1234.56],
    ['{decimal: ",", thousands: "."}', '1.234', 'decimal(12,2)', 1234],
    ['{decimal: ",", thousands: "."}', '1.234', 'integer', 1234],
    ['{decimal: ",", thousands: "."}', '-1.234.567,5', 'number', -1234567.5],
    ['{decimal: ",", thousands: "."}', '0,1', 'number', 0.1],
    ['{decimal: ","}', '1234,56', 'decimal(12,2)', 1234.56],
    ['{thousands: ","}', '1,234.56', 'decimal(12,2)', 1234.56],
    ['{thousands: ","}', '12,34,567.89', 'decimal(12,2)', 1234567.89],
    ['{thousands: " ", decimal: ","}', '1 234 567,89', 'decimal(12,2)', 1234567.89],
    ['{thousands: " ", decimal: ","}', '1\u202F234\u00A0567,89', 'decimal(12,2)', 1234567.89],
    [`{thousands: "'"}`, "1'234.56", 'decimal(12,2)', 1234.56],
    [`{thousands: "'"}`, '1’234.56', 'decimal(12,2)', 1234.56],
  ]
  it.each(marks)('%s reads %s as %s', async (format, written, type, value) => {
    const own = format.replace('{', `{type: "${type}", `)
    const file = `, csv: ${format.replace('{', '{delimiter: ";", ')}, columns: {v: "${type}"}`
    for (const files of [file, `, csv: {delimiter: ";"}, columns: {v: ${own}}`]) {
      const { rows, run } = await read(`id;v\n1;${written}\n`, files)
      expect(run.error).toBeUndefined()
      expect(rows).toEqual([{ id: 1, v: value }])
    }
  })

  const refused: [string, string, string][] = [
    ['{decimal: ",", thousands: "."}', '1.23', 'decimal(12,2)'],
    ['{decimal: ",", thousands: "."}', '1,234.56', 'decimal(12,2)'],
    ['{decimal: ",", thousands: "."}', '12.34,5', 'number'],
    ['{decimal: ","}', '1.234', 'integer'],
    ['{decimal: ","}', '1.5', 'number'],
    ['{thousands: ","}', '1.234,56', 'decimal(12,2)'],
    ['{thousands: ","}', '1,2345', 'integer'],
    ['{thousands: ","}', ',234', 'integer'],
  ]
  it.each(refused)('%s refuses %s as %s, with its line', async (format, written, type) => {
    const files = `, csv: {delimiter: ";"}, columns: {v: ${format.replace('{', `{type: "${type}", `)}}`
    const { run, message } = await read(`id;v\n1;\n2;${written}\n`, files)
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(message).toContain(`a.csv, line 3: Column \`v\` holds “${written}”, which is no ${type} with`)
  })

  it('gives columns that nobody names a type by the form of the file', async () => {
    const content =
      'n;amount;code;day;at;text;many\n1.234;1.234,50;007;05.03.2024;05.03.2024 10:30;x;1,12345678901234567890\n7;-0,5;01;31.12.2023;31.12.2023 00:00;1,5;2\n'
    const files =
      ', csv: {delimiter: ";", decimal: ",", thousands: ".", date_format: "%d.%m.%Y", datetime_format: "%d.%m.%Y %H:%M"}'
    const { rows, run } = await read(content, files)
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([
      {
        n: 1234,
        amount: 1234.5,
        code: '007',
        day: '2024-03-05',
        at: '2024-03-05 10:30:00',
        text: 'x',
        many: '1.12345678901234567890',
      },
      {
        n: 7,
        amount: -0.5,
        code: '01',
        day: '2023-12-31',
        at: '2023-12-31 00:00:00',
        text: '1,5',
        many: '2.00000000000000000000',
      },
    ])
  })

  it('never takes a grouped number for a fraction in a file with decimal commas', async () => {
    const { rows } = await read('v;w\n1.234;1,5\n2.500;2,5\n', ', csv: {delimiter: ";", decimal: ","}')
    expect(rows).toEqual([
      { v: '1.234', w: 1.5 },
      { v: '2.500', w: 2.5 },
    ])
  })

  it('holds for 200,000 rows, and names the one that is written otherwise', async () => {
    const line = (i: number) => `${i};${Math.floor(i / 1000)}.${String(i % 1000).padStart(3, '0')},25;01.02.2024\n`
    const many = Array.from({ length: 200_000 }, (_, i) => line(i + 1000)).join('')
    const files = ', csv: {delimiter: ";", decimal: ",", thousands: ".", date_format: "%d.%m.%Y"}'
    const { rows, run } = await read(`id;v;d\n${many}`, files)
    expect(run.error).toBeUndefined()
    expect(rows).toHaveLength(200_000)
    expect(rows.every(({ id, v, d }) => v === Number(id) + 0.25 && d === '2024-02-01')).toBe(true)
    const odd = await read(`id;v;d\n${many}7;1.5;01.02.2024\n`, files)
    expect(odd.message).toBe(
      'a.csv, line 200002: Column `v` holds “1.5”, which does not read as number like the rows before it',
    )
    const aside = await read(`id;v;d\n${many}7;1.5;01.02.2024\n`, `${files}, on_error: quarantine`)
    expect(aside.rows).toHaveLength(200_000)
    expect(aside.run.rejects.map(({ row }) => row)).toEqual([{ line: 200_002, text: '7;1.5;01.02.2024' }])
  })
})

describe('days and times that are written in another way', () => {
  const patterns: [string, string, string, string | null][] = [
    ['%d.%m.%Y', 'date', '05.03.2024', '2024-03-05'],
    ['%d.%m.%Y', 'date', '5.3.2024', '2024-03-05'],
    ['%m/%d/%Y', 'date', '03/05/2024', '2024-03-05'],
    ['%d/%m/%y', 'date', '05/03/24', '2024-03-05'],
    ['%d-%b-%Y', 'date', '05-Mar-2024', '2024-03-05'],
    ['%Y年%m月%d日', 'date', '2024年3月5日', '2024-03-05'],
    ['%Y%m%d', 'date', '20240305', '2024-03-05'],
    ['%d.%m.%Y %H:%M', 'datetime', '05.03.2024 14:30', '2024-03-05 14:30:00'],
    ['%d.%m.%Y %H:%M:%S.%f', 'datetime', '05.03.2024 14:30:01.5', '2024-03-05 14:30:01.5'],
    ['%m/%d/%Y %I:%M %p', 'datetime', '3/5/2024 2:30 PM', '2024-03-05 14:30:00'],
    ['%d.%m.%Y %H:%M %z', 'datetime', '05.03.2024 00:30 +0200', '2024-03-04 22:30:00'],
    ['%I:%M %p', 'time', '2:30 PM', '14:30:00'],
    ['%d.%m.%Y', 'date', '05.03.24', null],
    ['%d.%m.%Y', 'date', '31.02.2024', null],
    ['%d.%m.%Y', 'date', '03/05/2024', null],
    ['%d.%m.%Y', 'date', '05.03.2024 10:00', null],
    ['%d%m%Y', 'date', '532024', null],
    ['%m/%d/%Y %I:%M %p', 'datetime', '3/5/2024 14:30 PM', null],
    ['%d.%m.%Y', 'date', '2024-03-05', null],
  ]
  it.each(patterns)('%s as %s reads %s as %s', async (pattern, type, written, value) => {
    const { rows, run, message } = await read(
      `id;v\n1;${written}\n`,
      `, csv: {delimiter: ";"}, columns: {v: {type: ${type}, format: ${JSON.stringify(pattern)}}}`,
    )
    expect(rows).toEqual(value === null ? [] : [{ id: 1, v: value }])
    expect(run.error?.code).toBe(value === null ? 'FILE_UNREADABLE' : undefined)
    expect(message).toContain(
      value === null ? `a.csv, line 2: Column \`v\` holds “${written}”, which is no ${type} written as` : '',
    )
  })

  it('reads texts of JSON and Excel in the same way', async () => {
    const { rows, run } = await readFiles(
      folderWith({ 'a.json': '[{"v": "1.234,5", "d": "05.03.2024"}, {"v": "7", "d": null}]' }),
      'a.json',
      { files: ', columns: {v: {type: number, decimal: ",", thousands: "."}, d: {type: date, format: "%d.%m.%Y"}}' },
    )
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([
      { v: 1234.5, d: '2024-03-05' },
      { v: 7, d: null },
    ])
  })
})

describe('encodings', () => {
  // Bytes as Python writes them.
  const encoded: [string, string, string][] = [
    ['windows-1252', '6e3b760a803bfc0a', '€=ü'],
    ['windows-1250', '6e3b760aa3f3649f3b9c0a', 'Łódź=ś'],
    ['windows-1251', '6e3b760acceef1eae2e03be40a', 'Москва=д'],
    ['shift_jis', '6e3b760a93fa967b8c7c3b835c0a', '日本芸=ソ'],
    ['euc-kr', '6e3b760abcadbfef3bb1e60a', '서울=길'],
    ['gb18030', '6e3b760ab1b1bea93bd6d00a', '北京=中'],
    ['big5', '6e3b760aa578a55f3baaf90a', '台北=門'],
    ['iso-8859-15', '6e3b760aa43bbd0a', '€=œ'],
  ]
  it.each(encoded)('%s', async (encoding, bytes, values) => {
    const { rows, run } = await read(Buffer.from(bytes, 'hex'), `, csv: {delimiter: ";", encoding: ${encoding}}`)
    expect(run.error).toBeUndefined()
    expect(rows.map(({ n, v }) => `${String(n)}=${String(v)}`)).toEqual([values])
  })

  it('names the line with bytes that the encoding does not have', async () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `${i};日本\n`).join('')
    const head = Buffer.from('n;v\n1;')
    const sjis = Buffer.from(many.replaceAll('日本', '\u0001'))
      .toString('latin1')
      .replaceAll('\u0001', '\x93\xfa\x96\x7b')
    const content = Buffer.concat([
      head,
      Buffer.from([0x41, 0x0a]),
      Buffer.from(sjis, 'latin1'),
      Buffer.from('7;\x93\n', 'latin1'),
    ])
    const { message } = await read(content, ', csv: {delimiter: ";", encoding: shift_jis}')
    expect(message).toBe('a.csv, line 200003: the bytes are not text in shift_jis')
    const whole = await read(content.subarray(0, -4), ', csv: {delimiter: ";", encoding: shift_jis}')
    expect(whole.rows).toHaveLength(200_001)
    expect(whole.rows.at(-1)).toEqual({ n: 199_999, v: '日本' })
  })
})

describe('names that stand twice in a header', () => {
  it('are renamed, and the log says so', async () => {
    const { rows, run } = await read('a,b,A\n1,2,3\n')
    expect(rows).toEqual([{ a: 1, b: 2, A_1: 3 }])
    expect(JSON.stringify(run.log)).toContain('`A` in column 3 is called `A_1`')
  })
})
