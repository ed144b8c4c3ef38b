import Sqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createBackupChecks } from '../../../src/server/features/backups/backup-list.ts'
import { type BackupFile, backupFiles } from '../../../src/server/platform/backup-files.ts'

let files: BackupFile[]
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-backups-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['a.db', 'b.db']) new Sqlite(join(folder, name)).exec('CREATE TABLE a (b)').close()
  files = backupFiles(folder)
})

test('a backup that goes while the list is read is missing from it, and the others stay', async () => {
  const [gone, left] = files as [BackupFile, BackupFile]
  rmSync(gone.path)
  const checks = createBackupChecks(1, new AbortController().signal)
  expect(await checks.lookAll([gone, left])).toEqual([expect.objectContaining({ name: left.name, status: 'foreign' })])
  expect(await checks.look(gone)).toBeUndefined()
})

test('a list that is being read when the server ends is refused as unavailable, and so is one asked for later', async () => {
  const end = new AbortController()
  const checks = createBackupChecks(1, end.signal)
  const listed = checks.lookAll(files)
  end.abort()
  const refusal = { code: 'UNAVAILABLE', reason: expect.objectContaining({ code: 'server_ending' }) }
  await expect(listed).rejects.toMatchObject(refusal)
  await expect(checks.lookAll(files)).rejects.toMatchObject(refusal)
})
