import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConnectors } from '../../src/cli/connectors-file.ts'
import { shapeMistakes } from '../../src/contract/connector-shape.ts'
import { connectorTypes } from '../../src/contract/connector-types.ts'
import type { BoundConnector } from '../../src/contract/executor-protocol.ts'
import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts'
import { parseJob } from '../../src/language/job/parse-job.ts'
import { parseTask } from '../../src/language/task/parse-task.ts'
import { parseConfigFile } from '../../src/server/platform/config.file.ts'
import { readLibrary } from '../../tools/docs/library.ts'
import { readMarkdown } from '../../tools/docs/markdown.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from '../executor/engine/run-task.ts'

/** What stands behind the language of a fence says what it is; nothing: a whole document, or steps of a task. */
const pages = [
  ...readLibrary(resolve('.')).pages.map(({ file, markdown }) => ({ file, markdown })),
  { file: 'README.md', markdown: readMarkdown(readFileSync('README.md', 'utf8')) },
]
const fences = pages.flatMap(({ file, markdown }) =>
  markdown.fences.map((fence) => ({ ...fence, place: `${file}:${fence.line}` })),
)
const yaml = fences.filter(({ language }) => language === 'yaml')
const of = (note: string) => yaml.filter((fence) => fence.note === note)

/** Mistakes of a document; of a few steps where they would stand. */
function mistakesOf(text: string): string[] {
  const value: unknown = parse(text)
  const { diagnostics } = Array.isArray(value)
    ? parseTask(aroundSteps(text))
    : ofKind((value as { kind?: string }).kind ?? '', text)
  return diagnostics.map(({ code, line, message }) => `${line}: ${code}: ${message}`)
}

function ofKind(kind: string, text: string) {
  if (kind === 'dashboard') return parseDashboard(text)
  return kind === 'job' ? parseJob(text) : parseTask(text)
}

/** Columns that the examples speak of are not there: only what does not depend on them is looked at. */
const aroundSteps = (steps: string) => `etl: 1
kind: pipeline
name: example
connectors: {files: {type: file, access: read}, db: {type: sqlite, access: write}}
args: {minimum: {type: number, default: 1}, country: {type: string}}
inputs: {countries: {connector: files, files: {glob: countries.csv}}}
source: {connector: files, files: {glob: "*.csv"}}
steps:
${steps.replaceAll(/^/gm, '  ')}
target: {connector: db, table: example}
`
const notOfTheStep = /unused_(?:argument|input)/

describe('YAML of the documentation', () => {
  test('every fence says what it is', () => {
    const known = new Set(['', 'run', 'part', 'config', 'connectors', 'invalid'])
    expect(yaml.filter(({ note }) => !known.has(note)).map(({ place, note }) => `${place} ${note}`)).toEqual([])
    expect(yaml.length).toBeGreaterThan(20)
  })

  test.each([...of(''), ...of('run')])('$place is a document in which nothing is wrong', ({ content }) => {
    expect(mistakesOf(content).filter((mistake) => !notOfTheStep.test(mistake))).toEqual([])
  })

  test('a document that is said to be wrong is', () => {
    expect(of('invalid').filter(({ content }) => mistakesOf(content).length === 0)).toEqual([])
  })

  test.each(of('part'))('$place fits into a task', ({ content }) => {
    const value: unknown = parse(content)
    const text = Array.isArray(value) ? aroundSteps(content) : `${aroundSteps('- select: [id]')}${content}`
    expect(parseTask(text).diagnostics.filter(({ code }) => !notOfTheStep.test(code))).toEqual([])
  })

  test.each(of('config'))('$place is read by the server', ({ content, place }) => {
    expect(() => parseConfigFile(content, place)).not.toThrow()
  })

  test.each(of('connectors'))('$place is read by the command line', ({ content }) => {
    const slots = Object.fromEntries(Object.keys(parse(content) as object).map((slot) => [slot, slotOf(content, slot)]))
    expect(readConnectors(content, 'connectors.yaml', slots, { APP_PASSWORD: 'secret' }).diagnostics).toEqual([])
  })

  test.each(of('run'))('$place runs on the orders of the first hour', async ({ content }) => {
    const folder = temporaryFolder()
    copyFileSync('docs/examples/orders.csv', join(folder, 'orders.csv'))
    const { connector_refs } = parseTask(content)
    const bound: Record<string, BoundConnector> = Object.fromEntries(
      Object.entries(connector_refs).map(([slot, { types }]) => [
        slot,
        types.includes('file') ? fileConnector(folder) : sqliteConnector(join(folder, 'shop.db')),
      ]),
    )
    const run = await runTask(content, bound)
    expect([run.status, run.error?.message]).toEqual(['success', undefined])
    expect(run.item_count).toBeGreaterThan(0)
  })
})

test('a line that the first hour adds fails the run at the step that it names, and is set aside once the step says so', async () => {
  const page = pages.find(({ file }) => file === 'docs/first-hour.md')?.markdown
  const task = page?.fences.find(({ note }) => note === 'run')?.content ?? ''
  const mended = page?.fences.find(({ note }) => note === 'part')?.content ?? ''
  const line = page?.fences.find(({ language, note }) => language === 'text' && note === '')?.content ?? ''
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'orders.csv'), readFileSync('docs/examples/orders.csv', 'utf8') + line)
  const bound = { files: fileConnector(folder), shop: sqliteConnector(join(folder, 'shop.db')) }

  const failed = await runTask(task, bound)
  expect(failed.status).toBe('failed')
  expect(failed.error?.message).toMatch(/2026-02-30/)
  expect(failed.steps.find(({ status }) => status === 'failed')?.key).toBe('cast')

  const again = await runTask(task.replace(/ {2}- cast:.*\n/, mended), bound)
  expect([again.status, again.reject_count]).toEqual(['completed', 1])
})

test('connectors of the documentation have the fields of their types, and every type is told', () => {
  const told = fences.filter(({ language, note }) => language === 'json' && note === 'connector')
  const bodies = told.map(
    ({ content }) =>
      JSON.parse(content) as {
        type: (typeof connectorTypes)[number]
        config: Record<string, unknown>
        secrets?: Record<string, unknown>
      },
  )
  expect(
    bodies.flatMap(({ type, config, secrets = {} }) => [
      ...shapeMistakes(type, 'config', config),
      ...shapeMistakes(type, 'secrets', secrets),
    ]),
  ).toEqual([])
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(connectorTypes))
})

/** A bundle is JSON line by line. */
const jsonTexts = fences
  .filter(({ language, note }) => language === 'json' && note === '')
  .flatMap(({ content, place }) =>
    (place.startsWith('docs/exchange') ? content.trim().split('\n') : [content]).map((text) => ({ place, text })),
  )
test.each(jsonTexts)('JSON at $place is JSON', ({ text }) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow()
})

function slotOf(content: string, slot: string) {
  const { type } = (parse(content) as Record<string, { type: (typeof connectorTypes)[number] }>)[slot] ?? {
    type: 'file',
  }
  return { types: [type], access: 'read' as const }
}
