// The data folder of a real server, and everything that an admin or an editor can point at it with a real executor.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createConnector, testConnectorById } from '../../../src/contract/connectors.ts'
import { createEventTrigger, getEventTrigger } from '../../../src/contract/event-triggers.ts'
import { getHealth } from '../../../src/contract/health.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { createJob } from '../../../src/contract/jobs.ts'
import { triggerRun } from '../../../src/contract/runs.ts'
import { previewTask } from '../../../src/contract/task-preview.ts'
import { createTask } from '../../../src/contract/tasks.ts'
import type { TestClient } from '../../support/server.ts'
import { detours, type Detour } from '../engine/protected-fixture.ts'
import { startRealWorld, type RealWorld } from './real-world.ts'

const LONG = { timeout: 60_000, interval: 20 }
let parent: string
let data: string
let world: RealWorld
let editor: TestClient
let elsewhere: number

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'headgate-grounds-'))
  data = join(parent, 'data')
  mkdirSync(join(parent, 'files'))
  writeFileSync(join(parent, 'files', 'good.csv'), 'a\n1\n')
  world = await startRealWorld({}, { dataDir: data })
  editor = world.server.as('editor')
  elsewhere = world.connector
  await vi.waitFor(async () => expect(await world.online()).toBe('online'), { timeout: 60_000 })
})
afterAll(async () => {
  await world?.close()
  rmSync(parent, { recursive: true, force: true })
})

let made = 0
const toStore = (detour: Detour, inside: string) =>
  detour.to({ parent, data, content: () => '', remove: () => undefined }, inside)
const save = (type: string, config: object) =>
  world.client.post('/api/connectors', { name: `${type} ${++made}`, type, config })
/** As an older version saved it, which looked at nothing. */
async function saved(type: 'sqlite' | 'file', config: object): Promise<number> {
  const harmless = type === 'file' ? { root: parent } : { path: join(parent, 'app.db') }
  const { id } = await world.client.call(createConnector, {
    body: { name: `${type} ${++made}`, type, config: harmless },
  })
  const { sqlite } = world.server.platform.store
  sqlite.prepare('UPDATE connectors SET config = ? WHERE id = ?').run(JSON.stringify(config), id)
  return id
}
const roles = () => world.server.platform.store.sqlite.prepare('SELECT role FROM users ORDER BY id').pluck().all()
const healthy = () => world.client.call(getHealth)

const task = (type: string, source: string, target: string) => `etl: 1
kind: pipeline
name: t${++made}
connectors: {far: {type: ${type}, access: read_write}, out: {type: file, access: write}}
source: ${source}
target: ${target}
`
const inline = '{inline: {rows: [{a: eve}]}}'
const rise = () => `etl: 1
kind: sql
name: t${++made}
connectors: {far: {type: sqlite, access: write}}
sql: {connector: far, statements: ["UPDATE users SET role = 'superadmin'"]}
`
async function runCode(yaml: string, far: number): Promise<string | null> {
  const { id: taskId } = await editor.call(createTask, { body: { yaml_content: yaml } })
  const connector_mapping: Record<string, number> = yaml.includes('out:') ? { far, out: elsewhere } : { far }
  const { id } = await editor.call(triggerRun, { params: { taskId }, body: { connector_mapping } })
  await expect.poll(() => world.statusOf(id), LONG).toMatch(/failed|success|completed/)
  return (await world.runOf(id)).error_code
}
async function previewCode(yaml: string, far: number): Promise<string | undefined> {
  const body = { yaml_content: yaml, connector_mapping: { far, out: elsewhere } }
  return (await editor.call(previewTask, { body })).stages.at(-1)?.error?.code
}

describe.each(detours)('the store, by $name', (detour) => {
  test('is no place for a connector, saved or not', async () => {
    const mine = await save('sqlite', { path: join(parent, 'app.db') })
    const { id } = mine.body as { id: number }
    for (const [type, field, path] of [
      ['sqlite', 'path', toStore(detour, 'headgate.db')],
      ['duckdb', 'path', toStore(detour, 'headgate.db')],
      ...(detour.files
        ? []
        : [
            ['file', 'root', toStore(detour, '')],
            ['sqlite', 'path', toStore(detour, 'new.db')],
          ]),
    ] as [string, string, string][]) {
      const refusal = {
        status: 400,
        body: {
          error: 'VALIDATION_ERROR',
          details: [{ path: `body.config.${field}`, message: expect.stringContaining('own files') }],
        },
      }
      const body = { name: `${type} ${++made}`, type, config: { [field]: path } }
      expect(await world.client.post('/api/connectors', body)).toMatchObject(refusal)
      expect(await world.client.post('/api/connectors/test', { type, config: body.config })).toMatchObject(refusal)
      expect(await world.client.put(`/api/connectors/${id}`, body)).toMatchObject(refusal)
    }
  })

  test('is not opened for a connector that is there already', async () => {
    const before = roles()
    const id = await saved('sqlite', { path: toStore(detour, 'headgate.db') })
    expect(await world.client.call(testConnectorById, { params: { id } })).toMatchObject({
      ok: false,
      checks: [{ name: 'open', message: expect.stringContaining('Headgate’s own files') }],
    })
    expect(await editor.get(`/api/connectors/${id}/resources`)).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('Headgate’s own files') },
    })
    const read = task('sqlite', '{connector: far, sql: {table: users}}', '{connector: out, file: {path: o.csv}}')
    expect(await previewCode(read, id)).toBe('PATH_PROTECTED')
    expect(await runCode(rise(), id)).toBe('PATH_PROTECTED')
    expect(await runCode(read, id)).toBe('PATH_PROTECTED')
    for (const mode of ['append', 'replace']) {
      const write = task('sqlite', inline, `{connector: far, table: users, mode: ${mode}}`)
      expect(await runCode(write, id)).toBe('PATH_PROTECTED')
    }
    expect(roles()).toEqual(before)
  })
})

describe('an editor with a file connector whose folder is above the data folder', () => {
  let far: number
  beforeAll(async () => {
    far = ((await save('file', { root: parent })).body as { id: number }).id
  })

  test.each(['secret.key', 'headgate.db', 'lock.db'])('reads no %s', async (name) => {
    const read = task(
      'file',
      `{connector: far, files: {glob: data/${name}, format: csv}}`,
      '{connector: out, file: {path: o.csv}}',
    )
    expect(await previewCode(read, far)).toBe('PATH_PROTECTED')
    expect(await runCode(read, far)).toBe('PATH_PROTECTED')
    const shown = await editor.get(`/api/connectors/${far}/resources/${encodeURIComponent(`data/${name}`)}`)
    expect(shown.status).toBeGreaterThanOrEqual(400)
  })

  test.each(['config.yaml', 'headgate.db', 'secret.key', 'backups/headgate.db'])('writes no %s', async (name) => {
    const key = readFileSync(join(data, 'secret.key'), 'utf8')
    const target = `{connector: far, file: {path: data/${name}, format: csv}}`
    expect(await runCode(task('file', inline, target), far)).toBe('PATH_PROTECTED')
    expect(readFileSync(join(data, 'secret.key'), 'utf8')).toBe(key)
    expect((await healthy()).checks.database).toEqual({ status: 'ok' })
  })

  test('does ordinary work with the files beside it', async () => {
    const read = task(
      'file',
      '{connector: far, files: {glob: "**/*.csv", format: csv}}',
      '{connector: far, file: {path: out/o.csv}}',
    )
    expect(await runCode(read, far)).toBeNull()
    expect(readFileSync(join(parent, 'out/o.csv'), 'utf8')).toBe('a\n1\n')
    const { body } = await editor.get(`/api/connectors/${far}/resources`)
    expect(JSON.stringify(body)).not.toContain('data/')
  })

  test('has a file trigger told that it may not look there', async () => {
    const { name } = await editor.call(createTask, {
      body: { yaml_content: 'etl: 1\nkind: script\nname: nothing\nscript: "return 1"\n' },
    })
    const yaml = `etl: 1\nkind: job\nname: watched\ntasks:\n  one: {task: ${name}}\n`
    const template = await editor.call(createJobTemplate, { body: { yaml_content: yaml } })
    const job = await editor.call(createJob, { params: { id: template.id }, body: { name: 'watched' } })
    const config = { connector_id: far, glob: 'data/*', poll_seconds: 5, settle_seconds: 0 }
    const body = { job_id: job.id, name: 'data', type: 'file_arrival' as const, config }
    const { id } = await editor.call(createEventTrigger, { body })
    world.server.services.eventTriggers.lookNow()
    await expect
      .poll(async () => (await editor.call(getEventTrigger, { params: { id } })).last_error, LONG)
      .toContain('Headgate’s own files')
  })
})

test('a connector may be saved for a folder above the data folder, and for one that does not exist yet', async () => {
  expect((await save('file', { root: parent })).status).toBe(201)
  expect((await save('file', { root: join(parent, 'later') })).status).toBe(201)
  expect((await save('sqlite', { path: join(parent, 'later', 'app.db') })).status).toBe(201)
})
