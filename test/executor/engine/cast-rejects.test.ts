import ExcelJS from 'exceljs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { folderWith, readFiles } from './read-files.ts'
import { fileConnector, temporaryFolder } from './run-task.ts'

const steps = (columns: string, before = '') => `[${before}{cast: {columns: {${columns}}, on_error: quarantine}}]`

describe('a row of a CSV file that a cast step rejects', () => {
  it('comes with its file, its line and the text of the line', async () => {
    const folder = folderWith({ 'a.csv': 'id,v\n1,1.50\n2,2.00\n', 'b.csv': 'id,v\n\n3,3.0\n4,"4.250"\n' })
    const { run, rows } = await readFiles(folder, '*.csv', { steps: steps('v: integer') })
    expect(rows).toEqual([
      { id: 2, v: 2 },
      { id: 3, v: 3 },
    ])
    expect(run.rejects).toMatchObject([
      {
        step: 'cast',
        reason: expect.stringMatching(/a\.csv, line 2: Column `v` holds “1.5”/) as string,
        row: { line: 2, text: '1,1.50' },
      },
      {
        step: 'cast',
        reason: expect.stringMatching(/b\.csv, line 4: Column `v` holds “4.25”/) as string,
        row: { line: 4, text: '4,"4.250"' },
      },
    ])
  })

  it('keeps its line behind steps that only rename and choose columns', async () => {
    const folder = folderWith({ 'a.csv': 'id,v,w\n1,x,1\n2,7,1\n' })
    const before = '{rename: {v: x}}, {drop: [w]}, {select: [x]}, '
    const { run } = await readFiles(folder, 'a.csv', { steps: steps('x: integer', before) })
    expect(run.rejects).toMatchObject([{ row: { line: 2, text: '1,x,1' } }])
  })

  it('is found among 200,000', async () => {
    const bad = new Set([17, 100_000, 199_999])
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i},${bad.has(i) ? '1.50' : `${i}.0`}\n`).join('')
    const { run, rows } = await readFiles(folderWith({ 'a.csv': `id,v\n${lines}` }), 'a.csv', {
      steps: steps('v: integer'),
    })
    expect(rows).toHaveLength(199_997)
    expect(run.rejects.map(({ row }) => row)).toEqual([...bad].map((i) => ({ line: i + 2, text: `${i},1.50` })))
  })
})

it.each([
  ['a cast step', { steps: steps('v: json') }],
  ['`columns`', { files: ', columns: {v: json}, on_error: quarantine' }],
])('text with a comma behind the last value is no JSON, and is rejected by %s', async (_, options) => {
  const good = ['[1,2]', '{"a":[1 , {}]}', '"a,]"', '["a,]", "b"]', '["x\\",]",1]', '["b"]']
  const bad = ['[1,]', '{"a":1,}', '{"a":[1,],"b":2}', '["x",]', '[1, ]', '["a,]",]']
  const csv = [...good, ...bad].map((text, at) => `${at},"${text.replaceAll('"', '""')}"\n`).join('')
  const { run, rows } = await readFiles(folderWith({ 'a.csv': `id,v\n${csv}` }), 'a.csv', options)
  expect(run.error).toBeUndefined()
  expect(rows.map(({ v }) => v)).toEqual(good.map((text) => JSON.parse(text) as unknown))
  expect(run.rejects.map(({ row }) => row['line'])).toEqual(bad.map((__, at) => good.length + at + 2))
})

/** Rows of several files, with the line at which each one begins, counted as the text is written. */
function manyRows(format: 'csv' | 'jsonl') {
  const files: Record<string, string> = {}
  const wanted: { reason: string; row: unknown }[] = []
  for (let file = 0; file < 4; file++) {
    let content = format === 'csv' ? 'id,note,v,rowid\n' : ''
    let line = format === 'csv' ? 2 : 1
    for (let at = 0; at < 50_000; at++) {
      const id = file * 50_000 + at
      const note = id % 3 === 0 ? `a\n"b"\r\n${id}` : 'plain'
      const v = id % 4001 === 0 ? `bad ${id}` : `${id}`
      const text =
        format === 'csv'
          ? `${id},"${note.replaceAll('"', '""')}",${v},${id % 10}`
          : JSON.stringify({ id, note, v, rowid: id % 10 })
      // What the steps of the test leave of the rows.
      if (id % 4001 === 0 && id % 2 === 0 && id % 10 !== 6)
        wanted.push({
          reason: `${file}.${format}, line ${line}: Column \`w\` holds “bad ${id}!”`,
          row: { line, text },
        })
      content += `${text}\n`
      line += text.split('\n').length
      if (at % 1000 === 0) {
        content += '\n'
        line++
      }
    }
    files[`${file}.${format}`] = content
  }
  return { files, wanted }
}

const stepsBetween =
  '{filter: "id % 2 = 0"}, {derive: {w: "v || CASE WHEN v LIKE \'bad%\' THEN \'!\' ELSE \'\' END"}}, {cast: {columns: {id: string}, on_error: fail}}, {rename: {v: before}}, {drop: [note]}, {filter: "rowid <> 6"}, {select: [id, w, rowid]}, {dedupe: [id]}, '

describe.each(['csv', 'jsonl'] as const)(
  'a row of %s that a cast rejects behind steps that filter and compute',
  (format) => {
    it.each([false, true])(
      'has the line at which it was read, among 200,000 of four files (packed: %s)',
      async (packed) => {
        const { files, wanted } = manyRows(format)
        const written = Object.fromEntries(
          Object.entries(files).map(([path, text]) => (packed ? [`${path}.gz`, gzipSync(text)] : [path, text])),
        )
        const { run, rows } = await readFiles(folderWith(written), `*.${format}*`, {
          files: `, format: ${format}`,
          steps: steps('w: integer', stepsBetween),
        })
        expect(run.error).toBeUndefined()
        expect(run.rejects).toHaveLength(wanted.length)
        for (const [at, { reason, row }] of wanted.entries()) {
          expect(run.rejects[at]?.row).toEqual(row)
          expect(run.rejects[at]?.reason.replace('.gz', '')).toContain(reason)
        }
        expect(rows).toHaveLength(80_000 - wanted.length)
        expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'w', 'rowid'])
      },
    )
  },
)

describe('the line of a row that a cast rejects', () => {
  const csv = { 'a.csv': 'id,v,rowid\n1,7,9\n2,x,8\n3,y,7\n4,8,6\n5,z,5\n' }
  const rejectsOf = async (before: string) => {
    const { run } = await readFiles(folderWith(csv), 'a.csv', { steps: steps('v: integer', before) })
    expect(run.error).toBeUndefined()
    return run.rejects.map(({ row }) => row['line'] ?? row)
  }

  it('is found behind casts and expectations that have rejected others, and with a column that is called `rowid`', async () => {
    const { run } = await readFiles(folderWith(csv), 'a.csv', {
      steps:
        '[{expect: [{name: three, check: "id <> 3", on_fail: quarantine}]}, {cast: {columns: {v: integer}, on_error: quarantine}}, {derive: {w: "CASE WHEN id = 4 THEN \'no\' ELSE \'1\' END"}}, {cast: {columns: {w: integer}, on_error: quarantine}}]',
    })
    expect(run.rejects.map(({ step, row }) => [step, row['line']])).toEqual([
      ['expect', undefined],
      ['cast', 3],
      ['cast', 6],
      ['cast_2', 5],
    ])
  })

  it('is known behind a column made by a function of time or chance', async () => {
    expect(await rejectsOf('{derive: {at: "now()", day: current_date, r: "random()"}}, ')).toEqual([3, 4, 6])
  })

  it('is not said where asking again may leave other rows, or the order is not that of the file', async () => {
    const values = (row: Record<string, unknown>) => ({ ...row, v: expect.any(String) as string })
    for (const before of [
      '{filter: "random() >= 0"}, ',
      '{filter: "id + date_part(\'year\', current_date) > 3"}, ',
      '{derive: {r: "random()"}}, {filter: "r >= 0"}, {drop: [r]}, ',
      '{derive: {n: "row_number() OVER (ORDER BY id DESC)"}}, {drop: [n]}, ',
      '{derive: {n: "(SELECT 1)"}}, {drop: [n]}, ',
      '{sql: "SELECT * FROM stream ORDER BY id"}, ',
    ]) {
      const found = await rejectsOf(before)
      expect(found).toHaveLength(3)
      expect(found).toEqual(expect.arrayContaining([2, 3, 5].map((id) => values({ id, v: '', rowid: 10 - id }))))
    }
  })

  it('shows in a preview, in which no further column does', async () => {
    const answer = await runCall(
      {
        kind: 'preview',
        yaml_content: `etl: 1
kind: pipeline
name: preview
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.csv}}
steps: [{filter: "id > 1"}, {derive: {w: "v || '!'"}}, {filter: "id <> 3"}, {cast: {columns: {v: integer}, on_error: quarantine}}]
target: {connector: out, file: {path: out.jsonl}}
`,
        arguments: {},
        connectors: { in: fileConnector(folderWith(csv)), out: fileConnector(temporaryFolder()) },
        step: null,
        limit: 100,
      },
      { signal: new AbortController().signal, tempDir: temporaryFolder() },
    )
    if (answer.kind !== 'preview') throw new Error(answer.kind)
    const { stages } = answer.value
    expect(stages.map(({ columns }) => columns.map((column) => column.name).join())).toEqual([
      'id,v,rowid',
      'id,v,rowid',
      'id,v,rowid,w',
      'id,v,rowid,w',
      'id,v,rowid,w',
    ])
    expect(stages.at(-1)?.rejects.map(({ row }) => row)).toEqual([
      { line: 3, text: '2,x,8' },
      { line: 6, text: '5,z,5' },
    ])
  })
})

describe('a row of an Excel sheet that a cast rejects', () => {
  it('comes with its row in the sheet and the values of its cells, behind steps that filter and compute', async () => {
    const folder = temporaryFolder()
    const wanted: unknown[] = []
    for (const file of ['a', 'b']) {
      const book = new ExcelJS.Workbook()
      const sheet = book.addWorksheet('Data')
      sheet.getRow(1).values = ['id', 'v', 'rowid']
      for (let id = 1, row = 3; id <= 3000; id++, row += id % 100 === 0 ? 3 : 1) {
        const v = id % 501 === 0 ? `${file}${id}` : `${id}`
        sheet.getRow(row).values = [id, v, 1]
        if (id % 501 === 0 && id % 2 === 0)
          wanted.push([
            `${file}.xlsx, sheet Data, row ${row.toLocaleString('en')}: Column \`v\` holds “${file}${id}!”`,
            { id, v, rowid: 1 },
          ])
      }
      await book.xlsx.writeFile(join(folder, `${file}.xlsx`))
    }
    const before =
      '{filter: "id % 2 = 0"}, {derive: {v: "v || CASE WHEN id % 501 = 0 THEN \'!\' ELSE \'\' END"}}, {drop: [rowid]}, '
    const { run } = await readFiles(folder, '*.xlsx', { steps: steps('v: integer', before) })
    expect(run.error).toBeUndefined()
    expect(run.rejects.map(({ reason, row }) => [reason.replace(/, which.*/, '').replace(/^.*\//, ''), row])).toEqual(
      wanted,
    )
  })
})
