import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import { folderWith, headgate } from './command.ts'

const good = `etl: 1
kind: pipeline
name: good
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{id: 1}]}}
target: {connector: out, file: {path: o.csv}}
`
const bad = good.replace('path: o.csv', 'pth: o.csv')

describe('headgate validate', () => {
  it('says nothing of tasks that are right, and ends with 0', async () => {
    const folder = folderWith({ 'a.yaml': good, 'b.yaml': good })
    expect(await headgate(folder, ['validate', 'a.yaml', 'b.yaml'])).toMatchObject({
      code: 0,
      out: '',
      err: '2 tasks, 0 errors, 0 warnings\n',
    })
  })

  it('names place, code and way out of each error, and ends with 1', async () => {
    const folder = folderWith({ 'a.yaml': good, 'b.yaml': bad })
    const { code, out, err } = await headgate(folder, ['validate', 'a.yaml', 'b.yaml'])
    expect(code).toBe(1)
    expect(out).toContain('b.yaml:6:33: error unknown_key: Unknown key `pth` of `file`.\n  Did you mean `path`?')
    expect(err).toBe('2 tasks, 1 error, 0 warnings\n')
  })

  it('gives the diagnostics of the server as JSON', async () => {
    const folder = folderWith({ 'b.yaml': bad })
    const { code, out } = await headgate(folder, ['validate', '--json', 'b.yaml'])
    expect(code).toBe(1)
    const [checked] = JSON.parse(out) as { file: string; valid: boolean; diagnostics: Diagnostic[] }[]
    expect(checked).toMatchObject({ file: 'b.yaml', valid: false })
    expect(checked?.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'unknown_key', line: 6, column: 33, path: 'target.file.pth' }),
    )
  })

  it('checks job templates by their own language, beside tasks', async () => {
    const job = 'etl: 1\nkind: job\nname: j\ntasks:\n  a: {task: good}\n  b: {task: good, depends_on: [a]}\n'
    const folder = folderWith({ 'a.yaml': good, 'j.yaml': job, 'k.yaml': job.replace('[a]', '[A, b]') })
    expect(await headgate(folder, ['validate', 'j.yaml'])).toMatchObject({
      code: 0,
      err: '1 job template, 0 errors, 0 warnings\n',
    })
    const { code, out, err } = await headgate(folder, ['validate', 'a.yaml', 'k.yaml'])
    expect(code).toBe(1)
    expect(out).toContain('k.yaml:6:32: error unknown_task_key: There is no task or gate `A`.\n  Did you mean `a`?')
    expect(err).toBe('1 task, 1 job template, 2 errors, 0 warnings\n')
    const json = await headgate(folder, ['validate', '--json', 'k.yaml'])
    expect(JSON.parse(json.out)).toMatchObject([{ file: 'k.yaml', kind: 'job', valid: false }])
  })

  it('checks dashboard templates by their own language, with line and column', async () => {
    const board =
      'etl: 1\nkind: dashboard\nname: b\njob_template: j\nwidgets:\n  - {id: runs, type: run_list, at: [0, 0, 6, 2]}\n'
    const folder = folderWith({
      'a.yaml': good,
      'b.yaml': board,
      'c.yaml': board.replace('[0, 0, 6, 2]', '[9, 0, 6, 2]'),
    })
    expect(await headgate(folder, ['validate', 'b.yaml'])).toMatchObject({
      code: 0,
      err: '1 dashboard template, 0 errors, 0 warnings\n',
    })
    const { code, out, err } = await headgate(folder, ['validate', 'a.yaml', 'b.yaml', 'c.yaml'])
    expect(code).toBe(1)
    expect(out).toContain('c.yaml:6:36: error out_of_range:')
    expect(err).toBe('1 task, 2 dashboard templates, 1 error, 0 warnings\n')
    const json = await headgate(folder, ['validate', '--json', 'c.yaml'])
    expect(JSON.parse(json.out)).toMatchObject([{ file: 'c.yaml', kind: 'dashboard', valid: false }])
  })

  it('reads standard input', async () => {
    const { code, out } = await headgate(folderWith({}), ['validate', '-'], { stdin: bad })
    expect(code).toBe(1)
    expect(out).toMatch(/^standard input:6:33: error/m)
  })

  it('ends with 2 where a file cannot be read, and still checks the others', async () => {
    const folder = folderWith({ 'b.yaml': bad })
    const { code, out, err } = await headgate(folder, ['validate', 'none.yaml', 'b.yaml'])
    expect(code).toBe(2)
    expect(err).toContain('none.yaml doesn’t exist')
    expect(out).toContain('b.yaml:6:33')
  })

  it('loads no native code: it starts as fast as Node', async () => {
    const folder = folderWith({ 'a.yaml': good })
    expect(await headgate(folder, ['validate', 'a.yaml'], { node: ['--no-addons'] })).toMatchObject({ code: 0 })
    expect(await headgate(folder, ['schema', 'task'], { node: ['--no-addons'] })).toMatchObject({ code: 0 })
  })
})

describe('headgate', () => {
  it('ends with 2 and the usage where the command line is wrong', async () => {
    const folder = folderWith({ 'a.yaml': good })
    for (const args of [
      [],
      ['fly'],
      ['validate'],
      ['validate', '--nonsense', 'a.yaml'],
      ['run', 'a.yaml', 'b.yaml'],
      ['run', 'a.yaml', '--arg', 'nonsense'],
      ['preview', 'a.yaml', '--limit', 'many'],
      ['schema', 'bord'],
      ['schema', 'task', 'job'],
    ]) {
      const { code, out, err } = await headgate(folder, args)
      expect([args, code, out]).toEqual([args, 2, ''])
      expect(err).toContain('Exit codes: 0 success')
    }
  })

  it('tells its usage and its version', async () => {
    const folder = folderWith({})
    expect(await headgate(folder, ['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('headgate run') as string,
    })
    expect(await headgate(folder, ['run', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--full-refresh') as string,
    })
    expect((await headgate(folder, ['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    ['task', 'Task'],
    ['job', 'Job template'],
    ['dashboard', 'Dashboard template'],
  ])('prints the JSON Schema of a %s', async (kind, title) => {
    const { code, out } = await headgate(folderWith({}), ['schema', kind])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title })
  })
})
