import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackup, restoreBackup } from '../../../src/contract/backups.ts'
import { restartServer } from '../../../src/contract/server-config.ts'
import { readBackupName } from '../../../src/server/platform/backup-files.ts'
import { createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

/** What happens up to the start that does it: nothing is restored here. */
let server: TestServer
let superadmin: TestClient
const clock = createTestClock()
const asked: string[] = []
beforeEach(async () => {
  server = await startTestServer({ clock })
  superadmin = server.as('superadmin')
  asked.length = 0
  server.platform.restarter.current = {
    check: async () => {},
    restart: (reason) => void asked.push(reason),
  }
})
afterEach(() => server.close())

const journal = () => join(server.dataDir, 'restore.json')
const make = () => superadmin.call(createBackup)
const restore = (name: string, dry_run = false) => superadmin.post('/api/server/restore', { name, dry_run })

test('a dry run of a restore checks and changes nothing', async () => {
  const backup = await make()
  expect((await restore(backup.name, true)).body).toEqual({ success: true, backup, kept_as: null })
  expect(asked).toEqual([])
  expect(existsSync(journal())).toBe(false)
  expect(existsSync(join(server.dataDir, 'restore.db'))).toBe(false)
})

test('a restore leaves a journal and a checked copy without its seal, and asks for a new start', async () => {
  const backup = await make()
  clock.advance(1_000)
  const { kept_as } = await superadmin.call(restoreBackup, { body: { name: backup.name } })
  expect(readBackupName(kept_as!)).toEqual({ reason: 'before_restore', created_at: clock.iso() })
  expect(JSON.parse(readFileSync(journal(), 'utf8'))).toMatchObject({
    state: 'wanted',
    backup: backup.name,
    kept: join(server.dataDir, 'backups', kept_as!),
    by: expect.stringMatching(/^superadmin-/),
  })
  expect(statSync(join(server.dataDir, 'restore.db')).size % 4096).toBe(0)
  expect(asked).toHaveLength(1)
})

test('a restore is refused where the server could not start again, and for what is not there', async () => {
  const backup = await make()
  expect(await restore('nothing.db')).toMatchObject({ status: 404 })
  server.platform.restarter.current!.check = () => Promise.reject(new Error('config.yaml:2:18 is wrong'))
  expect(await restore(backup.name)).toMatchObject({
    status: 400,
    body: { error: 'INVALID_STATE', message: expect.stringContaining('config.yaml:2:18') },
  })
  expect(await superadmin.post('/api/server/restart')).toMatchObject({ status: 400 })
  server.platform.restarter.current = null
  expect(await restore(backup.name)).toMatchObject({ status: 503 })
  expect(existsSync(journal())).toBe(false)
})

test('a restart answers first', async () => {
  expect(await superadmin.call(restartServer)).toEqual({ success: true })
  expect(asked).toHaveLength(1)
})
