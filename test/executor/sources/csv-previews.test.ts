import { describe, expect, it } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { folderWith, readFiles } from '../engine/read-files.ts'
import { fileConnector, temporaryFolder } from '../engine/run-task.ts'

async function previewed(folder: string, files: string, steps = '[]'): Promise<unknown> {
  const yaml_content = `etl: 1
kind: pipeline
name: preview
connectors: {dir: {type: file, access: read_write}}
source: {connector: dir, files: {glob: '*.csv'${files}}}
steps: ${steps}
target: {connector: dir, file: {path: out.jsonl}}
`
  const work = { kind: 'preview' as const, yaml_content, arguments: {}, connectors: { dir: fileConnector(folder) } }
  const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
  return (await runCall({ ...work, step: null, limit: 100 }, io)).value
}

describe('a preview names file and line of a value of the wrong type', () => {
  const first = 'a,b\n1,x\n'
  it.each<[string, Record<string, string>, string, number]>([
    ['the only file', { 'b.csv': 'a,b\n1,x\nq,y\n' }, '', 3],
    ['one of several', { 'a.csv': first, 'b.csv': '\r\na,b\r\n"2","y\r\nz"\r\nq,y\r\n' }, '', 5],
    ['one of several that are matched by name', { 'a.csv': first, 'b.csv': 'b,a\ny,q\n' }, ', union_by_name: true', 2],
  ])('%s', async (_, contents, files, line) => {
    const folder = folderWith(contents)
    const error = { message: `${folder}/b.csv, line ${line}: Column \`a\` holds “q”, which is no integer` }
    const source = { ...error, code: 'FILE_UNREADABLE' }
    expect(await previewed(folder, `${files}, columns: {a: integer}`)).toMatchObject({ stages: [{ error: source }] })
    const cast = await previewed(folder, `${files}, columns: {a: string}`, '[{cast: {a: integer}}]')
    expect(cast).toMatchObject({ stages: [{}, { error: { ...error, code: 'CAST_FAILED' } }] })
  })
})

describe('delimiters at the end of a row do not count where files are matched by name', () => {
  const rows = [
    [1, 'x'],
    [2, 'y'],
    [3, 'z'],
  ]
  it.each<[string, Record<string, string>]>([
    ['of a later file', { 'a.csv': 'a,b\n1,x\n', 'b.csv': 'b,a\ny,2,,\nz,3,\n' }],
    ['of the first file', { 'a.csv': '\ufeffa,b\r\n1,x,,\r\n2,"y",,,\r\n', 'b.csv': 'b,a\nz,3\n' }],
    ['of the only file', { 'a.csv': 'a,b\n1,x\n2,y,,\n3,z,,,\n' }],
  ])('%s', async (_, contents) => {
    for (const files of ['', ', columns: {a: integer}', ', on_error: quarantine']) {
      const { run, rows: read } = await readFiles(folderWith(contents), '*.csv', {
        files: `, union_by_name: true${files}`,
      })
      expect(run.error).toBeUndefined()
      expect(read.map(({ a, b }) => [Number(a), b])).toEqual(rows)
    }
  })

  it('and another fault in such files is named with its line', async () => {
    const folder = folderWith({ 'a.csv': 'a,b\n1,x\n', 'b.csv': 'b,a\ny,2,,\nz,k\n' })
    const files = ', union_by_name: true, columns: {a: integer}'
    expect((await readFiles(folder, '*.csv', { files })).message).toMatch(/^b\.csv, line 3: Column `a` holds “k”/)
    const more = folderWith({ 'a.csv': 'a,b\n1,x\n', 'b.csv': 'b,a\ny,2,,\nz,3,,4\n' })
    expect((await readFiles(more, '*.csv', { files })).message).toMatch(/^b\.csv, line 3: the row has 4 fields/)
  })
})
