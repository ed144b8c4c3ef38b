import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listTasks } from '../../../src/contract/tasks.ts'
import { createBundleReader } from '../../../src/server/features/exchange/bundle-records.ts'
import { startCutProxy } from '../../support/cut-proxy.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { brokenInvariants, bundleOf, exported, importInto, taskLine, templateLine } from './bundles.ts'

let server: TestServer
let admin: TestClient
/** Of the store's bundle; more of it than any buffer on its way holds. */
const long = `# ${'x'.repeat(20_000)}\n`
const count = 600
beforeAll(async () => {
  server = await startTestServer({ config: { limits: { requestsPerSecond: 100_000, burst: 100_000 } } })
  admin = server.as('admin')
  const tasks = Array.from({ length: count }, (_, i) => taskLine(`t_${i}`, [long]))
  const huge = ['a', 'b', 'c'].map((letter, at) => ({
    ...taskLine('zz_huge'),
    ...(at > 0 && { continues: true }),
    versions: [
      {
        version: at + 1,
        yaml_content: taskLine('zz_huge', [`# ${letter.repeat(700_000)}\n`]).versions[0]!.yaml_content,
      },
    ],
  }))
  const bundle = bundleOf(...tasks, ...huge, templateLine('zz_job', 't_0'))
  const { summary } = await importInto(admin, bundle, { mode: 'upsert_all_versions' })
  expect(summary).toMatchObject({ created: count + 2, errors: 0 })
})
afterAll(async () => {
  expect(brokenInvariants(server)).toEqual([])
  await server.close()
})

const linesOf = (bundle: string) => bundle.split('\n').slice(0, -1)
function mistakesOf(lines: readonly string[]) {
  const reader = createBundleReader()
  lines.forEach((line, index) => reader.line(line, index + 1, 0, line.length))
  return reader.end().mistakes
}

describe('an export', () => {
  test('that cannot be read to its end is a broken transfer, never a shorter bundle that ends well', async () => {
    const { sqlite } = server.platform.store
    const last = sqlite.prepare("SELECT id FROM job_templates WHERE name = 'zz_job'").pluck().get() as number
    sqlite.pragma('foreign_keys = OFF')
    sqlite.prepare('UPDATE job_templates SET current_version = 7 WHERE id = ?').run(last)
    try {
      const answer = await fetch(`${server.url}/api/export`, { headers: admin.headers })
      expect(answer.status).toBe(200)
      await expect(answer.text()).rejects.toThrow('terminated')
    } finally {
      sqlite.prepare('UPDATE job_templates SET current_version = 1 WHERE id = ?').run(last)
      sqlite.pragma('foreign_keys = ON')
    }
  })

  test('whose connection is cut on the way is a broken transfer', async () => {
    const proxy = await startCutProxy(Number(new URL(server.url).port))
    proxy.cutAfter(5_000_000, 1)
    const headers = { ...admin.headers, host: new URL(server.url).host }
    const received = await new Promise<{ bytes: number; complete: boolean }>((resolve) => {
      const sent = request(`http://127.0.0.1:${proxy.port}/api/export`, { headers, agent: false }, (answer) => {
        let bytes = 0
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
        // That it breaks off is what is wanted.
        answer.on('error', () => {})
        answer.on('close', () => resolve({ bytes, complete: answer.complete }))
      })
      sent.end()
    })
    expect(received.bytes).toBeGreaterThan(1_000_000)
    expect(received.complete).toBe(false)
    await proxy.stop()
  })

  test('announces how many records of each kind follow, whatever is picked', async () => {
    const headOf = async (query: Record<string, string | boolean>) =>
      (JSON.parse(linesOf(await exported(admin, query))[0]!) as { records: unknown }).records
    expect(await headOf({})).toEqual({
      task: count + 1,
      job_template: 1,
      dashboard_template: 0,
      ai_reference: 0,
      explorer_preset: 0,
    })
    expect(await headOf({ tasks: '1,2,2' })).toEqual({
      task: 2,
      job_template: 0,
      dashboard_template: 0,
      ai_reference: 0,
      explorer_preset: 0,
    })
    expect(await headOf({ job_templates: 'all' })).toEqual({
      task: 0,
      job_template: 1,
      dashboard_template: 0,
      ai_reference: 0,
      explorer_preset: 0,
    })
    expect(await headOf({ tasks: 'none' })).toEqual({
      task: 0,
      job_template: 0,
      dashboard_template: 0,
      ai_reference: 0,
      explorer_preset: 0,
    })
  })
})

describe('a bundle that was cut off', () => {
  test('exactly at the end of a line is told from a whole one, whichever line that is', async () => {
    const lines = linesOf(await exported(admin))
    expect(lines.length).toBe(count + 1 + 3 + 1)
    expect(mistakesOf(lines)).toEqual([])
    for (let kept = 1; kept < lines.length; kept++) {
      expect(mistakesOf(lines.slice(0, kept))[0], `${kept} lines`).toMatchObject({
        line: kept + 1,
        message: expect.stringContaining('The bundle was cut off') as unknown,
      })
    }
  })

  test('is refused before anything is applied, with the place where it ends', async () => {
    const empty = await startTestServer()
    const other = empty.as('admin')
    const lines = linesOf(await exported(admin))
    const within = await importInto(other, `${lines.slice(0, -2).join('\n')}\n`)
    expect(within).toMatchObject({ status: 400, error: { error: 'IMPORT_ERROR' } })
    expect(within.error.message).toBe(
      `Line ${lines.length - 1}, column 1: it is missing: the record "zz_huge" continues here. The bundle was cut off, or lines were removed from it. Export it again, or correct "records" in its first line. Nothing was imported.`,
    )
    const between = await importInto(other, `${lines.slice(0, 301).join('\n')}\n`)
    expect(between).toMatchObject({ status: 400, error: { error: 'IMPORT_ERROR' } })
    expect(between.error.message).toContain(`announces ${count + 1} of kind "task", the bundle has 300.`)
    expect((await other.call(listTasks)).total).toBe(0)
    const whole = await importInto(other, `${lines.join('\n')}\n`, { mode: 'upsert_all_versions' })
    expect(whole.summary).toMatchObject({ created: count + 2, errors: 0 })
    await empty.close()
  })

  test('of an older Headgate or written by hand announces nothing, and is taken as it is', () => {
    expect(mistakesOf([JSON.stringify({ kind: 'bundle', format: 1 }), JSON.stringify(taskLine('a'))])).toEqual([])
    expect(mistakesOf([JSON.stringify(taskLine('a'))])).toEqual([])
  })

  test.each([
    [
      { task: 2 },
      [{ line: 3, path: 'body', message: expect.stringContaining('announces 2 of kind "task"') as unknown }],
    ],
    [{ task: 0 }, [{ line: 1, path: 'body.records' }]],
    [{ task: 1, job_template: 1 }, [{ line: 3, path: 'body' }]],
    [{ task: 1, dashboard_template: 0 }, []],
    [
      { task: '1' },
      [{ line: 1, path: 'body.records', message: 'must be an object of kinds and whole numbers, 0 or greater' }],
    ],
    [[1], [{ line: 1, path: 'body.records' }]],
  ])('announcing %j before one task', (records, expected) => {
    const lines = [{ kind: 'bundle', format: 1, records }, taskLine('a')].map((line) => JSON.stringify(line))
    expect(mistakesOf(lines)).toMatchObject(expected)
  })
})

test('an import whose store fails on the way is an answer that breaks off, without a summary; what it answered is stored', async () => {
  const { sqlite } = server.platform.store
  sqlite.exec(`CREATE TRIGGER fails BEFORE INSERT ON tasks WHEN NEW.name = 'io_1500'
    BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`)
  const body = bundleOf(...Array.from({ length: 2_000 }, (_, i) => taskLine(`io_${i}`)))
  const headers = { ...admin.headers, 'content-type': 'application/x-ndjson' }
  const answer = await fetch(`${server.url}/api/import`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let told = ''
  const readOn = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) told += part.value
  }
  await expect(readOn()).rejects.toThrow('terminated')
  sqlite.exec('DROP TRIGGER fails')
  expect(told).not.toContain('"summary"')
  const created = told.split('\n').filter((one) => one.includes('"create"') && one.endsWith('}}')).length
  const { total } = await admin.call(listTasks, { query: { q: 'io_' } })
  expect(created).toBeGreaterThan(0)
  expect(total).toBeGreaterThanOrEqual(created)
  expect(total).toBeLessThanOrEqual(1_500)
  const { summary } = await importInto(admin, body)
  expect(summary).toMatchObject({ created: 2_000 - total, unchanged: total, errors: 0 })
})

describe('an upload that ends early', () => {
  const waiting = () => readdirSync(join(server.dataDir, 'imports'))
  const lines = Array.from({ length: 2_000 }, (_, i) => JSON.stringify(taskLine(`up_${i}`, [long])))
  const whole = `${lines.join('\n')}\n`
  const half = Buffer.from(`${lines.slice(0, 1_000).join('\n')}\n`)

  test.each([
    [
      'in the middle of a line, of a known length',
      half.subarray(0, -9_000),
      { 'content-length': Buffer.byteLength(whole) },
    ],
    ['at the end of a line, of a known length', half, { 'content-length': Buffer.byteLength(whole) }],
    ['at the end of a line, in chunks', half, { 'transfer-encoding': 'chunked' }],
  ])('%s, applies nothing and leaves nothing', async (_, part, length) => {
    const headers = { ...admin.headers, 'content-type': 'application/x-ndjson', ...length }
    const sent = request(`${server.url}/api/import`, { method: 'POST', headers, agent: false })
    // That it breaks off is what is wanted.
    sent.on('error', () => {})
    await new Promise((taken) => sent.write(part, taken))
    await expect.poll(waiting).toHaveLength(1)
    sent.destroy()
    await expect.poll(waiting).toEqual([])
    expect((await admin.call(listTasks, { query: { q: 'up_' } })).total).toBe(0)
  })
})
