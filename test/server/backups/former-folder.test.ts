import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createBackup } from '../../../src/contract/backups.ts'
import { ownFolders } from '../../../src/server/platform/own-folders.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
afterEach(() => server.close())

test('no connector reaches a backup in a folder that was used before', async () => {
  server = await startTestServer()
  const superadmin = server.as('superadmin')
  const admin = server.as('admin')
  const used = mkdtempSync(join(tmpdir(), 'headgate-test-former-'))
  const later = mkdtempSync(join(tmpdir(), 'headgate-test-later-'))
  onTestFinished(() => [used, later].forEach((folder) => rmSync(folder, { recursive: true })))
  const use = (folder: string | null) => superadmin.put('/api/server/config', { values: { 'backup.folder': folder } })
  await use(used)
  const { name } = await superadmin.call(createBackup)
  await use(later)
  await use(null)
  const connect = (path: string) => admin.post('/api/connectors', { name: 'far', type: 'sqlite', config: { path } })
  expect(await connect(join(used, name))).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.config.path', code: 'own_place' }] },
  })
  expect(ownFolders(server.platform.config).map(({ path }) => path)).toEqual(expect.arrayContaining([used, later]))
})
