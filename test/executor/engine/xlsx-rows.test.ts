import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createZipWriter } from '../../../src/executor/formats/xlsx/zip-writer.ts'
import { folderWith, readFiles, type ReadOptions } from './read-files.ts'
import { flow, temporaryFolder } from './run-task.ts'

/** Cells by their places, as in a sheet: what is a text in quotes is one. The styles 1 and 2 are a moment and a time of day. */
type Rows = Record<number, Record<string, string>>

const texts = (names: string): Record<string, string> =>
  Object.fromEntries(
    names.split(' ').map((name, at) => [String.fromCharCode(65 + at), `t="inlineStr"><is><t>${name}</t></is>`]),
  )
const number = (value: number | string, style = 0): string => `s="${style}"><v>${value}</v>`
const missing = 't="e"><v>#N/A</v>'
const uncalculated = '><f>1+1</f><v/>'

async function read(rows: Rows, { merged = [], ...options }: ReadOptions & { merged?: string[] } = {}) {
  const folder = temporaryFolder()
  const handle = await open(join(folder, 'a.xlsx'), 'w')
  const zip = createZipWriter(handle)
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`
  await zip.add('xl/workbook.xml', ['<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'])
  await zip.add('xl/_rels/workbook.xml.rels', [
    `<Relationships>${relation('r1', 'worksheet', 'sheet.xml')}${relation('r2', 'styles', 'styles.xml')}</Relationships>`,
  ])
  await zip.add('xl/styles.xml', [
    '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="21"/></cellXfs></styleSheet>',
  ])
  const data = Object.entries(rows).map(([row, cells]) => {
    const written = Object.entries(cells).map(([column, cell]) => `<c r="${column}${row}" ${cell}</c>`)
    return `<row r="${row}">${written.join('')}</row>`
  })
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`)
  await zip.add('xl/sheet.xml', [
    `<worksheet><sheetData>${data.join('')}</sheetData><mergeCells>${ranges.join('')}</mergeCells></worksheet>`,
  ])
  await zip.finish()
  await handle.close()
  return readFiles(folder, 'a.xlsx', options)
}

const values = (rows: Record<string, unknown>[]): unknown[][] => rows.map((row) => Object.values(row))

describe('rows of Excel', () => {
  it.each([
    ['errors', missing, 'Cells that show an error are read as NULL: 2 × #N/A'],
    ['formulas without a result', uncalculated, 'Formulas without a stored result are read as NULL: 2.'],
  ])('are there if their cells are all %s', async (_, cell, warning) => {
    const { run, rows } = await read({
      1: texts('a b'),
      2: { A: number(1), B: number(10) },
      3: { A: cell, B: cell },
      4: { A: number(3), B: number(30) },
    })
    expect(values(rows)).toEqual([
      [1, 10],
      [null, null],
      [3, 30],
    ])
    expect(flow(run)).toBe('source 3→3 | target 3→3')
    expect(run.log.find(({ level }) => level === 'warn')?.message).toContain(warning)
  })

  it('are there if the whole sheet is formulas without a result, and also without a header', async () => {
    const { run, rows } = await read({ 1: texts('a'), 2: { A: uncalculated }, 3: { A: uncalculated } })
    expect(values(rows)).toEqual([[null], [null]])
    expect(run.status).toBe('completed')
    const bare = await read({ 1: { A: number(1) }, 2: { B: missing } }, { files: ', xlsx: {header: false}' })
    expect(bare.rows).toEqual([
      { column1: 1, column2: null },
      { column1: null, column2: null },
    ])
  })

  it('of errors are seen by an expectation, which names their place', async () => {
    const sheet = { 1: texts('a b'), 2: { A: number(1), B: missing }, 4: { A: missing, B: missing } }
    const steps = '[{expect: [{name: known, not_null: [a], on_fail: quarantine}]}]'
    const { run, rows } = await read(sheet, { steps })
    expect(values(rows)).toEqual([[1, null]])
    expect(run.rejects.map(({ reason }) => reason)).toEqual([expect.stringContaining('a.xlsx, sheet S, row 4')])
  })

  it('are none if their cells hold nothing, or formulas show nothing', async () => {
    const empty = { 2: { A: 's="1"/><c r="B2">' }, 3: { A: 't="str"><f>""</f><v></v>' }, 4: {}, 5: { A: '><v></v>' } }
    const { rows } = await read({ 1: texts('a b'), ...empty, 6: { A: number(6) } })
    expect(values(rows)).toEqual([[6, null]])
  })
})

describe('rows within a merged range', () => {
  const repeated = (merged: string[], more = ''): ReadOptions & { merged: string[] } => ({
    merged,
    files: `, xlsx: {merged_cells: repeat${more}}`,
  })
  const sheet = { 1: texts('a b'), 2: { A: number(1) }, 3: {}, 5: { A: number(3), B: number(4) } }

  it('have the value of its first cell, whether or not the sheet has them', async () => {
    const { rows, run } = await read(sheet, repeated(['A2:B4']))
    expect(values(rows)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [3, 4],
    ])
    expect(flow(run)).toBe('source 4→4 | target 4→4')
  })

  it('are read to the end of the sheet, and are NULL if the first cell shows an error', async () => {
    const { rows } = await read({ 1: texts('a'), 2: { A: number(1) }, 4: { A: missing } }, repeated(['A2:A3', 'A4:A5']))
    expect(values(rows)).toEqual([[1], [1], [null], [null]])
    const bare = await read({ 1: { A: number(1) } }, repeated(['A1:B2'], ', header: false'))
    expect(values(bare.rows)).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  it('are named by their row in the sheet', async () => {
    const { message } = await read(
      { 1: texts('a'), 2: { A: number(2) }, 3: texts('x'), 6: { A: number(1) } },
      { merged: ['A3:A5'], files: ', columns: {a: integer}, on_error: quarantine, xlsx: {merged_cells: repeat}' },
    ).then(({ run }) => ({ message: run.rejects.map(({ reason }) => reason) }))
    expect(message).toEqual([3, 4, 5].map((row) => expect.stringContaining(`a.xlsx, sheet S, row ${row}:`)))
  })

  it('are none if the range begins in or above the header, or holds nothing', async () => {
    const title = { 1: texts('Report'), 3: texts('a b'), 5: { A: number(1), B: number(2) }, 8: { A: number(3) } }
    const { rows } = await read(title, repeated(['A1:B2', 'A3:A4', 'B3:B4', 'A6:B7'], ', skip_rows: 1'))
    expect(rows).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: null },
    ])
  })

  it('are blank where only the first cell has the value', async () => {
    expect(values((await read(sheet, { merged: ['A2:B4'] })).rows)).toEqual([
      [1, null],
      [3, 4],
    ])
  })
})

describe('columns of Excel', () => {
  it('are floating point where it keeps every number, however large or small', async () => {
    const { run } = await read({
      1: texts('a b c'),
      2: { A: number(100), B: number('9007199254740993'), C: number('9007199254740993') },
      3: { A: number('1E+308'), B: number(0.5), C: number('1E+308') },
      4: { A: number('4.940656458412465E-324') },
      5: { A: number('1152921504606846976') },
    })
    expect(run.steps[0]?.columns?.map(({ type }) => type)).toEqual(['DOUBLE', 'DECIMAL(38,1)', 'VARCHAR'])
    expect(run.steps[0]?.changes).toMatchObject([{ column: 'c', code: 'change_numbers_as_text', count: 2 }])
  })

  it.each([
    ['of several kinds', ''],
    ['declared as text', ', columns: {a: string, b: string}'],
  ])('write moments and times as a cast does, without a zone: %s', async (_, files) => {
    const { rows } = await read(
      {
        1: texts('a b'),
        2: { A: number(45292.21258101852, 1), B: number(0.2125810185185185, 2) },
        3: { A: number(45292, 1), B: number(0.5, 2) },
        4: { A: 't="d"><v>2024-01-01T05:06:07.500</v>', B: 't="d"><v>2024-01-01T05:06:07+02:00</v>' },
        5: { ...texts('x x') },
      },
      { files },
    )
    expect(values(rows)).toEqual([
      ['2024-01-01T05:06:07', '05:06:07'],
      ['2024-01-01T00:00:00', '12:00:00'],
      ['2024-01-01T05:06:07.5', '2024-01-01T03:06:07'],
      ['x', 'x'],
    ])
    const cast = await read(
      { 1: texts('a'), 2: { A: number(45292.21258101852, 1) } },
      { steps: '[{cast: {a: string}}]' },
    )
    expect(values(cast.rows)).toEqual([['2024-01-01T05:06:07']])
  })
})

describe('a value that `columns` of the source refuse', () => {
  const refused = (file: string, text: string, type: string) =>
    readFiles(folderWith({ [file]: text }), file, { files: `, columns: {a: ${type}}` })

  it('is rejected by `on_error` of the source in Excel and JSON Lines', async () => {
    const hint = '`on_error: quarantine` of the source sends such rows to the run’s rejects and continues.'
    const excel = await read({ 1: texts('a'), 2: texts('x') }, { files: ', columns: {a: integer}' })
    expect(excel.run.error).toMatchObject({ code: 'CAST_FAILED', hint })
    const lines = await refused('a.jsonl', '{"a":1}\n{"a":"x"}\n', 'integer')
    expect(lines.run.error).toMatchObject({ code: 'CAST_FAILED', hint })
    expect(lines.message).toBe('a.jsonl, line 2: Column `a` holds “x”, which is no integer')
    const { run } = await refused('a.jsonl', '{"a":1.5}\n', 'integer')
    expect(run.error?.hint).toContain(`${hint} \`rounding\` of a \`cast\` step`)
  })

  it('needs a `cast` step in a JSON document, whose rows `on_error` does not reject', async () => {
    const { run } = await refused('a.json', '[{"a":"x"}]', 'integer')
    expect(run.error).toMatchObject({
      code: 'CAST_FAILED',
      hint: expect.stringContaining('convert it in a `cast` step'),
    })
  })
})

it.each(['decimal(12,3)', 'number'])(
  'numbers stay what they are in a column whose texts have a decimal comma (%s)',
  async (type) => {
    const { rows } = await read(
      {
        1: texts('a'),
        2: { A: number(1.234) },
        3: { A: number(-12.345) },
        4: { A: number(1000) },
        5: texts('1.234,5'),
        6: texts('1.234'),
      },
      { files: `, columns: {a: {type: "${type}", decimal: ",", thousands: "."}}` },
    )
    expect(rows.map(({ a }) => Number(a))).toEqual([1.234, -12.345, 1000, 1234.5, 1234])
  },
)
