import { afterAll, beforeAll, expect, test } from 'vitest'
import { draftOf } from '../../../src/server/features/ai/draft.rules.ts'
import { holdBack } from '../../../src/server/features/ai/held-back.rules.ts'
import { createEventCutter } from '../../../src/server/features/ai/provider-wire.rules.ts'
import { isQuery } from '../../../src/server/features/ai/query.rules.ts'
import { eventsOf, fencedYaml, lastOf, useFakeAi } from '../../support/ai-events.ts'
import { type FakeAi, startFakeAi } from '../../support/fake-ai.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

/** Processor milliseconds of this thread, which is the server's. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const MIB = 1_048_576
const mib = (piece: string) => piece.repeat(MIB / piece.length)

// Those that were exponential are as long as a machine bears, so that this fails instead of standing still.
test.each<[what: string, work: () => unknown]>([
  ['empty lines before a draft', () => draftOf(`#\n${'\n'.repeat(30)}x`)],
  ['a mebibyte of empty lines', () => draftOf(`#\n${mib('\n')}x`)],
  ['blanks before a draft', () => draftOf(`#\n${mib(' ')}x`)],
  ['a fence without an end', () => draftOf('`'.repeat(150_000))],
  ['many fences', () => draftOf(mib('```a\n'))],
  ['thoughts without an end', () => draftOf(mib('<think>'))],
  ['comments before a query', () => isQuery(`${'/**/'.repeat(28)}!`, 'postgres')],
  ['a mebibyte of comments', () => isQuery(`${mib('/**/')}!`, 'postgres')],
  ['empty lines before a query', () => isQuery(`--\n${'\n'.repeat(150_000)}!`, 'postgres')],
  ['open brackets before a query', () => isQuery(mib('('), 'postgres')],
  ['what begins like tokens', () => holdBack([]).hide('eyJ-'.repeat(50_000))],
  ['what begins like keys', () => holdBack([]).hide('sk-'.repeat(50_000))],
  ['what begins like addresses', () => holdBack([]).hide('a.'.repeat(100_000))],
  ['what ends like addresses', () => holdBack([]).hide(mib('://:'))],
  ['keys without an end', () => holdBack([]).hide(mib('-----BEGIN PRIVATE KEY-----'))],
  ['names of secrets', () => holdBack([]).hide(mib('password: '))],
])('%s are read in time that grows with the text', async (_, work) => {
  expect(await costOf(work)).toBeLessThan(1_000)
})

let server: TestServer
let editor: TestClient
let fake: FakeAi
beforeAll(async () => {
  fake = await startFakeAi()
  server = await startTestServer()
  editor = server.as('editor')
  useFakeAi(server, fake)
  // The thread that reads long texts starts with the first one.
  await editor.post('/api/tasks/validate', { yaml_content: 'a: b\n'.repeat(5_000) })
})
afterAll(async () => {
  await server.close()
  await fake.close()
})

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => `      - {id: ${n}, name: "person ${n}", city: "city ${n}"}\n`).join('')
const task = (more = '') =>
  `etl: 1\nkind: pipeline\nname: long\nconnectors: {out: {type: file, access: write}}\nsource:\n  inline:\n    rows:\n${rows(5_000)}target: {connector: out, file: {path: out.csv}}\n${more}`
const job = `etl: 1\nkind: job\nname: long\ntasks:\n${Array.from({ length: 4_000 }, (_, n) => `  t${n}: {task: a.b, connectors: {api: crm, db: dw}}\n`).join('')}`

test(
  'an event that comes in thousands of pieces is searched once, and its end is found wherever it is cut',
  { timeout: 10_000 },
  () => {
    const cutter = createEventCutter()
    // Searched again with each piece, it would take minutes.
    let ended = 0
    for (let at = 0; at < 100_000; at++) ended += cutter.add('x'.repeat(10)).length
    expect(ended).toBe(0)
    expect(cutter.add('\n\n')).toEqual(['x'.repeat(1_000_000)])
    const text = 'data: 1\r\n\r\ndata: 2\n\n\n\ndata: 3\r\n\ndata: 4'
    const inOne = createEventCutter()
    const found = inOne.add(text)
    expect(found.filter((one) => one !== '')).toEqual(['data: 1', 'data: 2', 'data: 3'])
    const inMany = createEventCutter()
    expect([...text].flatMap((piece) => inMany.add(piece)).filter((one) => one !== '')).toEqual(
      found.filter((one) => one !== ''),
    )
    expect([inOne.rest, inMany.rest]).toEqual(['data: 4', 'data: 4'])
  },
)

test('long texts and answers are read where no one else waits for it', { timeout: 120_000 }, async () => {
  const yaml = task()
  expect(yaml.length).toBeGreaterThan(250_000)
  // What sending such a text to the provider and back costs, with its checks elsewhere.
  fake.reply({ text: fencedYaml(yaml).replace('etl: 1', 'etl; 1'), piece: 20_000 })
  const plain = await costOf(() => eventsOf(editor, 'generate-task', { prompt: 'x', base_yaml: yaml }))
  const most = 250 + 3 * plain

  fake.reply({ text: fencedYaml(task('description: Long\n')), piece: 20_000 })
  for (const body of [{}, { base_yaml: yaml }, { base_yaml: yaml, part: 'description' }]) {
    let events: Awaited<ReturnType<typeof eventsOf>> = []
    const cost = await costOf(async () => {
      events = await eventsOf(editor, 'generate-task', { prompt: 'x', ...body })
    })
    expect(lastOf(events, 'proposal')?.yaml_content).toBe(task('description: Long\n'))
    expect(cost).toBeLessThan(most)
  }
  for (const [path, base_yaml] of [
    ['generate-job-template/preview', job],
    ['generate-dashboard-template/preview', yaml],
  ]) {
    const cost = await costOf(async () =>
      expect((await editor.post(`/api/ai/${path}`, { prompt: 'x', base_yaml })).status).toBe(200),
    )
    expect(cost).toBeLessThan(most)
  }
})
