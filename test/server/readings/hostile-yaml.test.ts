import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import type { TaskValidation } from '../../../src/contract/task-preview.ts'
import type { Static } from 'typebox'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let editor: TestClient
beforeAll(async () => {
  server = await startTestServer()
  editor = server.as('editor')
  // The thread starts with the first long text.
  await editor.post('/api/tasks/validate', { yaml_content: 'a: b\n'.repeat(5_000) })
  const plain = `etl: 1\nname: x\ndescription: ${repeated('x ')}\n`
  for (let round = 0; round < 3; round++) {
    const { cost } = await validated('tasks', plain)
    mostMs = Math.max(mostMs, MOST_TIMES_PLAIN * cost)
  }
})
afterAll(() => server.close())

/** Processor time of the server's thread. Sending the body is in it, too. */
let mostMs = 100
/** Of what plain text of this size takes, where the machine is so busy that this is more. */
const MOST_TIMES_PLAIN = 10
const BYTES = 1_000_000
const repeated = (piece: string) => piece.repeat(BYTES / piece.length)
const numbered = (line: (index: number) => string) =>
  Array.from({ length: BYTES / 20 }, (_, index) => line(index)).join('\n')

const hostile: [what: string, text: string][] = [
  ['dashes', repeated('- ')],
  ['open brackets', repeated('[')],
  ['directives', repeated('%A\n')],
  ['ends of documents', repeated('...\n')],
  ['documents', repeated('---\n')],
  ['NUL', '\0'.repeat(BYTES / 6)],
  ['hidden characters', `a: ${'\u202a'.repeat(BYTES / 3)}`],
  ['open quotes', repeated('"')],
  ['anchors', numbered((index) => `- &a${index} x`)],
  ['aliases', `- &a x\n${repeated('- *a\n')}`],
  ['tags', repeated('!a ')],
  ['tabs', repeated('\ta: b\n')],
  ['comments', `etl: 1\n${repeated('# x\n')}`],
  ['empty lines', `etl: 1\n${repeated('\n')}`],
  ['folded lines', `a: >\n${repeated('  x\n x\n')}`],
  ['bad escapes', `a: "${repeated('\\q')}"`],
  ['the same key', repeated('a: 1\n')],
  ['keys', numbered((index) => `k${index}: v`)],
  ['a huge key', `${repeated('k')}: v`],
  ['a huge number', `a: ${repeated('1')}x`],
  ['flow pairs', `a: {${repeated('b: decimal(1,')}}`],
  ['unknown arguments', `etl: 1\nargs:\n${numbered((index) => `  a${index}: {typo: string}`)}`],
  ['expressions', `etl: 1\nname: x\nsteps:\n${repeated('  - {filter: "${{ a.b + 1 }}"}\n')}`],
]

/** Processor milliseconds of this thread, which is the server's. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

async function validated(kind: string, text: string) {
  const body = JSON.stringify({ yaml_content: text })
  const headers = { 'content-type': 'application/json' }
  let answer: Static<typeof TaskValidation> | undefined
  const cost = await costOf(async () => {
    const { status, body: found } = await editor.post(`/api/${kind}/validate`, body, { headers })
    expect(status).toBe(200)
    answer = found as Static<typeof TaskValidation>
  })
  return { answer, cost }
}

test.each(hostile)(
  '%s hold the thread of others hardly longer than plain text',
  { timeout: 60_000 },
  async (_what, text) => {
    const { answer, cost } = await validated('tasks', text)
    expect(answer).toMatchObject({ valid: false })
    expect(cost).toBeLessThan(mostMs)
  },
)

describe.each(['tasks', 'job-templates', 'dashboard-templates'])('%s', (kind) => {
  const [, text] = hostile.find(([what]) => what === 'expressions')!

  test('hold it no longer, whatever they say', { timeout: 60_000 }, async () => {
    const { answer, cost } = await validated(kind, text)
    expect(answer).toMatchObject({ valid: false })
    expect(cost).toBeLessThan(mostMs)
  })

  test('nor does a save of them, and it says what is wrong', { timeout: 60_000 }, async () => {
    let details: ErrorBody['details']
    const cost = await costOf(async () => {
      const { status, body } = await editor.post(`/api/${kind}`, { yaml_content: text })
      expect(status).toBe(400)
      details = (body as ErrorBody).details
    })
    expect(details?.length).toBeGreaterThan(0)
    expect(cost).toBeLessThan(mostMs)
  })
})

describe('long documents that are right', () => {
  const rows = Array.from({ length: 6_000 }, (_, index) => `      - {a: ${index}, b: "${'x'.repeat(40)}"}`).join('\n')
  const task = (name: string) =>
    `etl: 1\nkind: pipeline\nname: ${name}\nconnectors: {out: {type: file, access: write}}\ntarget: {connector: out, file: {path: out.csv}}\nsource:\n  inline:\n    rows:\n${rows}\n`

  test('are saved, changed, and started without holding others', { timeout: 60_000 }, async () => {
    const saved: { id?: number } = {}
    const save = await costOf(async () => {
      const answer = await editor.post('/api/tasks', { yaml_content: task('long_task') })
      expect(answer.status).toBe(201)
      Object.assign(saved, answer.body)
    })
    const change = await costOf(async () => {
      const answer = await editor.put(`/api/tasks/${saved.id}`, { yaml_content: `${task('long_task')}# 2\n` })
      expect(answer).toMatchObject({ status: 200, body: { current_version: 2 } })
    })
    const start = await costOf(async () => {
      const answer = await editor.post(`/api/runs/trigger/${saved.id}`, {})
      // Its slot isn't bound; that is found after the text was read.
      expect(answer.status).toBe(400)
    })
    expect(Math.max(save, change, start)).toBeLessThan(mostMs)
  })

  test('job templates are held against tasks as short ones are', { timeout: 60_000 }, async () => {
    const tasks = (name: string) => Array.from({ length: 600 }, (_, index) => `  t${index}: {task: ${name}}`).join('\n')
    const template = (name: string) => `etl: 1\nkind: job\nname: long_job\ntasks:\n${tasks(name)}\n`
    const found = async (name: string) => {
      const { body } = await editor.post('/api/job-templates/validate', { yaml_content: template(name) })
      return [...new Set((body as Static<typeof TaskValidation>).diagnostics.map(({ code }) => code))]
    }
    await editor.post('/api/tasks', { yaml_content: task('named_by_long') })
    expect(await found('named_by_lung')).toContain('unknown_task')
    expect(await found('named_by_long')).toEqual(['slot_unbound'])
  })
})

test('a caller who leaves while a long text waits is skipped, and the next one is answered', async () => {
  const [, text] = hostile.find(([what]) => what === 'expressions')!
  const gone = new AbortController()
  const left = fetch(new URL('/api/tasks/validate', server.url), {
    method: 'POST',
    headers: { ...editor.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ yaml_content: text }),
    signal: gone.signal,
  }).catch(() => 'left')
  setTimeout(() => gone.abort(), 20)
  expect(await left).toBe('left')
  const { status } = await editor.post('/api/tasks/validate', { yaml_content: `${text}# 2\n` })
  expect(status).toBe(200)
})
