// The evaluation itself: recorded right answers score, wrong ones don't, and both through the real engine.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useFakeAi } from '../support/ai-events.ts'
import { type FakeAi, startFakeAi } from '../support/fake-ai.ts'
import { missingServices } from './eval-services.ts'
import { type EvalWorld, startEvalWorld } from './eval-world.ts'
import { asBlock as block, evalCases, recordedAnswers, reportOf } from './report.ts'
import { type EvalCase, type EvalResult, runCase } from './run-case.ts'

let world: EvalWorld
let fake: FakeAi
beforeAll(async () => {
  fake = await startFakeAi()
  world = await startEvalWorld(new Set(cases.flatMap(({ connectors }) => connectors)))
  useFakeAi(world.server, fake)
}, 180_000)
afterAll(async () => {
  await world?.close()
  await fake?.close()
})

const cases = evalCases()
const caseOf = (id: string): EvalCase => {
  const found = cases.find((one) => one.id === id)
  if (!found) throw new Error(`There is no case ${id}`)
  return found
}
async function answered(id: string, change: (text: string) => string = (text) => text): Promise<EvalResult> {
  const one = caseOf(id)
  fake.reply(...one.answers.map((text) => ({ text: block(change(text)) })))
  return runCase(world, one)
}

test('there are 143 cases, each with a name of its own', () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBe(143)
  expect(new Set(cases.map(({ category }) => category)).size).toBe(23)
  // Recorded by the digest of the prompt, each is found.
  expect(recordedAnswers().size).toBe(143)
})

const results: EvalResult[] = []
const canRun = ({ connectors }: EvalCase) => !connectors.some((name) => missingServices.has(name))
const possible = cases.filter(canRun)
// Those whose system is not installed are skipped by name.
for (const one of cases)
  test.skipIf(!canRun(one))(`the recorded answer of ${one.id} is right`, async () => {
    const result = await answered(one.id)
    results.push(result)
    expect(result).toMatchObject({ id: one.id, passed: true, reason: '' })
  })

test('the report counts by category', () => {
  const report = reportOf([
    ...results,
    { ...results[0]!, id: 'x', category: 'wrong', passed: false, reason: 'other rows' },
  ])
  expect(report).toMatch(/^sqlite +24\/24 /m)
  expect(report).toMatch(/^wrong +0\/1 /m)
  expect(report).toMatch(new RegExp(String.raw`^all +${possible.length}/${possible.length + 1} `, 'm'))
  expect(report).toMatch(/^x: other rows$/m)
})

const weather = `etl: 1
kind: pipeline
name: weather
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{weather: sun}]}}
target: {connector: out, file: {path: result.jsonl, format: jsonl}}
`
test.each([
  ['sqlite-1', (text: string) => text.replace("'DE'", "'FR'"), /^other rows/],
  ['questions-1', (text: string) => text.replace('count(*)', 'max(id)*2'), /^other rows/],
  ['questions-2', () => 'DELETE FROM customers', /^not valid: ai_query_writes/],
  ['targets-3', (text: string) => text.replace('"upsert", "key": ["id"]', '"replace"'), /^other rows/],
  ['edits-1', (text: string) => text.replace('# Kept for the auditors\n', ''), /^lost/],
  ['repairs-1', (text: string) => text.replace('kind: pipeline', 'kind: pipelin'), /^not valid/],
  ['postgres-1', (text: string) => text.replace("'DE'", "'FR'"), /^other rows/],
  ['builder-2', (text: string) => text.replace('"10"', '"20"'), /^other rows/],
  [
    'jobs-1',
    (text: string) => text.replace('task: shop.customers', 'task: shop.orders'),
    /^other rows|^the rows cannot/,
  ],
  ['dashboards-1', (text: string) => text.replace('metric: rows', 'metric: bytes'), /^lost/],
  ['impossible-3', () => weather, /^a valid proposal/],
  [
    'sqlite-3',
    (text: string) => text.replace('"select"', '"filter"').replace('["id", "name"]', '"no_such > 1"'),
    /^not valid|^the run failed/,
  ],
] as const)('a wrong answer to %s is not right', async (id, change, reason) => {
  const result = await answered(id, change)
  expect(result.passed).toBe(false)
  expect(result.reason).toMatch(reason)
})

async function command(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'evals.ts'), ...args])
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [out, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  return { code: await ended, said: out + errors }
}

test('the command asks the model that it is given, and keeps its results', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-evals-'))
  const file = join(folder, 'results.json')
  fake.reply({ text: block(caseOf('joins-1').answers[0]!) }, { text: 'I don’t know.' })
  const model = ['--base-url', fake.url, '--model', 'model-2', '--only', 'joins', '--json', file]
  const { code, said } = await command(...model)
  expect(said).toMatch(/^right {2}joins-1$/m)
  expect(said).toMatch(/^wrong {2}joins-2: not valid: ai_no_draft$/m)
  expect(said).toMatch(/^joins +1\/6 /m)
  expect(code).toBe(0)
  expect(fake.asked[0]?.body).toContain('model-2')
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { model: string; results: EvalResult[] }
  expect(kept.model).toBe('model-2')
  expect(kept.results).toHaveLength(6)
  rmSync(folder, { recursive: true })
}, 90_000)

test('the recorded answers are replayed by the digest of the prompt, without a model', async () => {
  const { code, said } = await command('--recorded', '--only', 'joins')
  expect(said).toMatch(/^joins +6\/6 /m)
  expect(said).toContain('recorded answers at http://127.0.0.1:')
  expect(code).toBe(0)
}, 90_000)

test('what is missing, and a category that does not exist, end the command by name', async () => {
  expect(await command('--model', 'x')).toMatchObject({ code: 1, said: expect.stringContaining('--base-url') })
  expect(await command('--model', 'x', '--base-url', fake.url, '--only', 'nothing')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Categories: sqlite'),
  })
})
