import Database from 'better-sqlite3'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admin, makeApiKey } from '../../faults/support/server-process.ts'
import { createClient } from '../../support/server.ts'
import { spawnServer } from '../../support/server-process.ts'
import { bundleOf, importInto, taskLine } from './bundles.ts'

const start = async (dataDir: string) => {
  const server = spawnServer(dataDir, {
    args: ['--port', '0', '--no-executor'],
    env: { SVC_ADMIN_USERNAME: admin.username, SVC_ADMIN_PASSWORD: admin.password },
  })
  const { url } = await server.ready
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal)
    await server.exited
  }
  return { url, end }
}

test('kill -9 in the middle of an import: every line that was answered is on disk, and the same bundle brings the rest', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-killed-'))
  const first = await start(dataDir)
  const authorization = `Bearer ${await makeApiKey(first.url)}`
  const count = 4_000
  const bundle = bundleOf(...Array.from({ length: count }, (_, i) => taskLine(`task_${i}`, ['', '# 2\n'])))
  const headers = { authorization, 'content-type': 'application/x-ndjson' }
  const answer = await fetch(`${first.url}/api/import?mode=upsert_all_versions`, {
    method: 'POST',
    headers,
    body: bundle,
  })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let told = (await reader.read()).value ?? ''
  const [spooled] = readdirSync(join(dataDir, 'imports'))
  // Nobody else may read what is being imported.
  expect(statSync(join(dataDir, 'imports', spooled!)).mode & 0o077).toBe(0)
  await first.end('SIGKILL')
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) told += part.value
  } catch {
    // The connection has broken; what has come so far counts.
  }
  const acknowledged = told.split('\n').filter((line) => line.includes('"create"') && line.endsWith('}}')).length
  const sqlite = new Database(join(dataDir, 'headgate.db'))
  const number = (query: string) => Number(sqlite.prepare(query).pluck().get())
  const applied = number('SELECT count(*) FROM tasks')
  expect(applied).toBeGreaterThanOrEqual(acknowledged)
  expect(acknowledged).toBeGreaterThan(0)
  expect(applied).toBeLessThan(count)
  expect(number('SELECT count(*) FROM task_versions')).toBe(2 * applied)
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  sqlite.close()

  const second = await start(dataDir)
  expect(existsSync(join(dataDir, 'imports'))).toBe(false)
  const rest = await importInto(createClient(second.url, { authorization }), bundle, { mode: 'upsert_all_versions' })
  expect(rest.summary).toMatchObject({ unchanged: applied, created: count - applied, errors: 0 })
  await second.end('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
}, 120_000)

test('kill -9 in the middle of an export: the client has a broken transfer, not a bundle that ends well', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-killed-'))
  const server = await start(dataDir)
  const authorization = `Bearer ${await makeApiKey(server.url)}`
  const text = `# ${'x'.repeat(20_000)}\n`
  // More than lies between the server and a client that does not read on.
  const bundle = bundleOf(...Array.from({ length: 2_000 }, (_, i) => taskLine(`task_${i}`, [text])))
  expect((await importInto(createClient(server.url, { authorization }), bundle)).summary).toMatchObject({ errors: 0 })
  const answer = await fetch(`${server.url}/api/export`, { headers: { authorization } })
  const reader = answer.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  await server.end('SIGKILL')
  const readOn = async () => {
    while (!(await reader.read()).done);
  }
  await expect(readOn()).rejects.toThrow('terminated')
  rmSync(dataDir, { recursive: true, force: true })
}, 120_000)
