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
})
afterAll(() => server.close())

/** Processor time of the server's thread. Sending the body is in it, too. */
const MOST_MS = 100
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
  ['NUL', repeated('\0')],
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
  if (process.env.SHOW) console.log(kind, text.slice(0, 20).replaceAll('\n', ' '), Math.round(cost))
  return { answer, cost }
}

test.each(hostile)('%s hold the thread of others for less than 100 ms', { timeout: 60_000 }, async (_what, text) => {
  const { answer, cost } = await validated('tasks', text)
  expect(answer).toMatchObject({ valid: false })
  expect(cost).toBeLessThan(MOST_MS)
})

describe.each(['tasks', 'job-templates', 'dashboard-templates'])('%s', (kind) => {
  const [, text] = hostile.find(([what]) => what === 'expressions')!

  test('hold it no longer, whatever they say', { timeout: 60_000 }, async () => {
    const { answer, cost } = await validated(kind, text)
    expect(answer).toMatchObject({ valid: false })
    expect(cost).toBeLessThan(MOST_MS)
  })

  test('nor does a save of them, and it says what is wrong', { timeout: 60_000 }, async () => {
    let details: ErrorBody['details']
    const cost = await costOf(async () => {
      const { status, body } = await editor.post(`/api/${kind}`, { yaml_content: text })
      expect(status).toBe(400)
      details = (body as ErrorBody).details
    })
    expect(details?.length).toBeGreaterThan(0)
    expect(cost).toBeLessThan(MOST_MS)
  })
})
