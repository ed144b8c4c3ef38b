import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteBackup, listBackups } from '../../../src/contract/backups.ts'
import { deleteUpload, listUploads } from '../../../src/contract/uploads.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let folder: string
const headers = { 'content-type': 'application/octet-stream' }
const upload = (name: string, editor = server.as('editor')) =>
  editor.post('/api/uploads', 'id\n1\n', { headers, query: { name } })

beforeAll(async () => {
  server = await startTestServer()
  folder = `${server.dataDir}-files`
  // The connector of uploads is there from now on.
  await upload('first.csv')
})
afterAll(() => server.close())
beforeEach(() => setWritable(true))

/** As on a full disk that is not the one of the files: a transaction begins, and its first event does not fit any more. */
function setWritable(isWritable: boolean): void {
  const { sqlite } = server.platform.store
  sqlite.exec('DROP TRIGGER IF EXISTS temp.fills')
  sqlite.pragma(
    `max_page_count = ${isWritable ? 1_073_741_823 : String(sqlite.pragma('page_count', { simple: true }))}`,
  )
  if (isWritable) return
  sqlite.exec(`CREATE TEMP TRIGGER fills AFTER INSERT ON events BEGIN
    INSERT INTO store_meta VALUES ('full', hex(zeroblob(4000000)));
  END`)
}

const refused = {
  status: 503,
  body: { error: 'UNAVAILABLE', message: expect.stringContaining('The disk is full, so nothing was saved.') as string },
}

test('an upload that could not be recorded leaves no file', async () => {
  const editor = server.as('editor')
  setWritable(false)
  expect(await upload('second.csv', editor)).toMatchObject(refused)
  expect(readdirSync(folder)).toEqual(['first.csv'])
})

test('an upload whose deletion could not be recorded stays, and goes when there is room', async () => {
  const editor = server.as('editor')
  await upload('mine.csv', editor)
  setWritable(false)
  expect(await editor.delete('/api/uploads/mine.csv')).toMatchObject(refused)
  expect(readdirSync(folder).toSorted()).toEqual(['first.csv', 'mine.csv'])
  setWritable(true)
  const { result } = await editor.call(listUploads, {})
  // It is still its uploader's.
  expect(result.find(({ name }) => name === 'mine.csv')?.uploaded_by).not.toBeNull()
  await editor.call(deleteUpload, { params: { name: 'mine.csv' } })
  expect(readdirSync(folder)).toEqual(['first.csv'])
})

test('a backup whose deletion could not be recorded stays, and goes when there is room', async () => {
  const superadmin = server.as('superadmin')
  await superadmin.post('/api/server/backup')
  const { result } = await superadmin.call(listBackups, {})
  const [{ name } = { name: '' }] = result
  const path = join(server.dataDir, 'backups', name)
  setWritable(false)
  expect(await superadmin.delete(`/api/server/backups/${name}`)).toMatchObject(refused)
  expect(existsSync(path)).toBe(true)
  setWritable(true)
  await superadmin.call(deleteBackup, { params: { name } })
  expect(readdirSync(join(server.dataDir, 'backups'))).toEqual([])
  rmSync(path, { force: true })
})
