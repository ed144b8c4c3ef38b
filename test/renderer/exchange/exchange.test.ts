import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  currentText,
  headOf,
  indexBundle,
  lineOf,
  normalized,
  recordOf,
  textOf,
} from '../../../src/renderer/features/exchange/bundle-index.ts'
import { choiceOf, countOf, queryOf } from '../../../src/renderer/features/exchange/export-choice.ts'
import { importLines } from '../../../src/renderer/features/exchange/import-stream.ts'
import {
  type ImportResult,
  defaultOptions,
  diagnosticsOf,
  errorsText,
  excerptOf,
  idleRun,
  mayApply,
  withLines,
} from '../../../src/renderer/features/exchange/import-state.ts'

const record = (name: string, ...texts: string[]) =>
  JSON.stringify({
    kind: 'task',
    name,
    current_version: texts.length,
    versions: texts.map((yaml_content, at) => ({ version: at + 1, yaml_content })),
  })
const header = '{"kind":"bundle","format":1}'

describe('where the records of a bundle stand', () => {
  test.each([
    ['lines with line feeds', '\n', ''],
    ['lines with carriage returns and a byte order mark', '\r\n', '\uFEFF'],
  ])('%s', async (_, end, mark) => {
    const file = new Blob([mark + [header, record('a', 'one'), '', record('é "quoted"', 'two')].join(end)])
    const index = await indexBundle(file)
    expect(index.records.map(({ name, line }) => [name, line])).toEqual([
      ['a', 2],
      ['é "quoted"', 4],
    ])
    expect(await lineOf(file, index, 4)).toBe(record('é "quoted"', 'two'))
    expect(await lineOf(file, index, 5)).toBeUndefined()
  })

  test('fields in another order, and lines that hold no record', async () => {
    const file = new Blob([`${header}\nnot json\n{"name":"b","kind":"job_template","versions":[]}\n[]\n`])
    const index = await indexBundle(file)
    expect(index.records).toEqual([{ kind: 'job_template', name: 'b', line: 3, lastLine: 3 }])
  })

  test('a record that goes on in further lines is one record, and its pieces are one text', async () => {
    const more = (text: string) =>
      `{"kind":"task","name":"long","continues":true,"versions":[{"version":1,"yaml_content":"${text}"}]}`
    const file = new Blob([[header, record('long', 'a'), more('b'), more('c'), record('next', 'n')].join('\n')])
    const index = await indexBundle(file)
    expect(index.records.map(({ name, line, lastLine }) => [name, line, lastLine])).toEqual([
      ['long', 2, 4],
      ['next', 5, 5],
    ])
    const long = recordOf(index, { kind: 'task', name: 'long' })
    expect(long && (await textOf(file, index, long))).toBe('abc')
  })

  test('a record is found by its plain name, too', async () => {
    const index = await indexBundle(new Blob([record('Nightly  Load-2', 'x')]))
    expect(normalized('Nightly  Load-2')).toBe('nightly_load_2')
    expect(recordOf(index, { kind: 'task', name: 'nightly_load_2' })?.line).toBe(1)
  })

  test('every line is where it was written, whatever the names are and however the bytes are cut', async () => {
    const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(names, async (all) => {
        const lines = all.map((name) => record(name, `text of ${name}`))
        const file = new Blob(lines.map((line) => `${line}\n`))
        const index = await indexBundle(file)
        expect(index.records.map(({ name }) => name)).toEqual(all)
        for (const [at, line] of lines.entries()) {
          expect(await lineOf(file, index, at + 1)).toBe(line)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('the text of a record is the one of its current version', () => {
    const line = '{"current_version":1,"versions":[{"version":1,"yaml_content":"a"},{"version":2,"yaml_content":"b"}]}'
    expect(currentText([line])).toBe('a')
    expect(currentText(['{"versions":[null,{"version":2,"yaml_content":"b"}]}'])).toBe('b')
    expect(currentText(['nothing'])).toBeUndefined()
    expect(headOf('{"kind":"task","name":"a\\n\\u00e9"')).toEqual({ kind: 'task', name: 'a\né', continues: false })
  })
})

describe('how far an import has come', () => {
  const result = (name: string, action: ImportResult['action']): ImportResult => ({ kind: 'task', name, action })

  test('lines are counted and keep their order', () => {
    const run = withLines(withLines(idleRun, [result('a', 'create')]), [result('b', 'error'), result('c', 'create')])
    expect(run.rows.map(({ name, index }) => [name, index])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
    expect(run.counts).toMatchObject({ create: 2, error: 1, update: 0 })
    expect(errorsText(run.rows)).toBe('{"kind":"result","result":{"kind":"task","name":"b","action":"error"}}\n')
  })

  test('only a dry run with these very options that found something opens the way to the import', () => {
    const done = { ...withLines(idleRun, [result('a', 'create')]), phase: 'done' as const }
    expect(mayApply(done, defaultOptions)).toBe(true)
    expect(mayApply(done, { ...defaultOptions, mode: 'create_only' })).toBe(false)
    expect(mayApply({ ...done, dryRun: false }, defaultOptions)).toBe(false)
    expect(mayApply({ ...done, phase: 'stopped' }, defaultOptions)).toBe(false)
    expect(mayApply({ ...withLines(idleRun, [result('a', 'skip')]), phase: 'done' }, defaultOptions)).toBe(false)
    const checked = { ...defaultOptions, validate_only: true }
    expect(mayApply({ ...done, options: checked }, checked)).toBe(false)
  })

  test('findings of a validation are read whatever else stands in it', () => {
    const validation = { valid: false, diagnostics: [null, 'x', { message: 'm', line: 2, column: 7 }, { line: 1 }] }
    expect(diagnosticsOf(validation)).toEqual([{ message: 'm', severity: 'error', line: 2, column: 7 }])
    expect(diagnosticsOf({ diagnostics: 'none' })).toEqual([])
    expect(diagnosticsOf(undefined)).toEqual([])
  })

  test('a long line is cut around the column that is meant', () => {
    const text = `${'a'.repeat(500)}!${'b'.repeat(500)}`
    const { text: excerpt, at } = excerptOf(text, 501)
    expect(excerpt[at]).toBe('!')
    expect(excerpt.length).toBeLessThan(130)
    expect(excerptOf('{,}', 2)).toEqual({ text: '{,}', at: 1 })
  })

  test('lines of the answer are whole however the bytes are cut', async () => {
    const lines = [
      { kind: 'result', result: { kind: 'task', name: 'é'.repeat(30), action: 'create' } },
      { kind: 'summary', created: 1, updated: 0, skipped: 0, unchanged: 0, errors: 0 },
    ]
    const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'))
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
        controller.close()
      },
    })
    const read: unknown[] = []
    for await (const line of importLines(new Response(pieces as BodyInit))) read.push(line)
    expect(read).toEqual(lines)
  })
})

describe('what is exported', () => {
  const of = (search: string) => choiceOf(new URLSearchParams(search))

  test('everything, unless the address names records', () => {
    expect(queryOf(of(''), 'all', true, { references: true, presets: true })).toMatchObject({
      tasks: 'all',
      job_templates: 'all',
      dashboard_templates: 'all',
      ai_references: 'all',
      explorer_presets: 'all',
    })
    expect(queryOf(of('tasks=3,1,x,-2'), 'current', false, { references: false, presets: false })).toEqual({
      ai_references: 'none',
      explorer_presets: 'none',
      tasks: '3,1',
      job_templates: 'none',
      dashboard_templates: 'none',
      versions: 'current',
      archived: false,
    })
  })

  test('nothing chosen is nothing, not everything', () => {
    const none = { which: 'chosen', selected: new Set<string>() } as const
    const nowhere = { references: false, presets: false }
    expect(
      queryOf({ tasks: none, job_templates: none, dashboard_templates: none }, 'all', true, nowhere),
    ).toMatchObject({
      tasks: 'none',
      job_templates: 'none',
      dashboard_templates: 'none',
    })
    expect(countOf(none, 12)).toBe(0)
    expect(countOf({ which: 'all', selected: new Set() }, undefined)).toBeUndefined()
  })
})
