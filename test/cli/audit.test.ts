import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportAudit } from '../../src/contract/audit.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { folderWith, headgate } from './command.ts'

let server: TestServer
let exported: string
beforeAll(async () => {
  server = await startTestServer()
  const admin = server.as('admin')
  for (const slots of [1, 2, 3]) await admin.put('/api/pools/narrow', { slots })
  exported = await (await fetch(new URL(exportAudit.path, server.url), { headers: admin.headers })).text()
})
afterAll(() => server.close())

it('follows the log of a data folder while its server runs', async () => {
  const { code, out } = await headgate(server.dataDir, ['audit', 'verify', '--data-dir', server.dataDir])
  expect(out).toMatch(/^4 records verified. Last hash: [0-9a-f]{64}\n$/)
  expect(code).toBe(0)
})

it('follows an exported log, and says which record was changed', async () => {
  const folder = folderWith({ 'good.ndjson': exported, 'bad.ndjson': exported.replace('"status":200', '"status":201') })
  expect((await headgate(folder, ['audit', 'verify', 'good.ndjson'])).out).toContain('4 records verified')
  const { code, out } = await headgate(folder, ['audit', 'verify', 'bad.ndjson', '--json'])
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^Record \d is not what was written$/),
  })
  expect(code).toBe(1)
})

it('misses what was cut off when a hash of it is known', async () => {
  const lines = exported.trimEnd().split('\n')
  // Each line is a record with its hash.
  const { hash } = JSON.parse(lines.at(-1)!) as { hash: string }
  const folder = folderWith({ 'cut.ndjson': lines.slice(0, -1).join('\n') })
  const unknown = await headgate(folder, ['audit', 'verify', 'cut.ndjson'])
  expect(unknown).toMatchObject({
    code: 0,
    err: expect.stringContaining('Without --head, records removed from the end'),
  })
  const { code, out } = await headgate(folder, ['audit', 'verify', 'cut.ndjson', '--head', hash])
  expect(out).toContain('No record has the known hash')
  expect(code).toBe(1)
})

it('says what is wrong with what it is given', async () => {
  const folder = folderWith({
    'text.ndjson': '{"id":1}\n',
    'headgate.db': 'no database, but long enough to be looked at',
  })
  expect(await headgate(folder, ['audit', 'verify', 'text.ndjson'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('text.ndjson:1: not an audit record'),
  })
  expect(await headgate(folder, ['audit', 'verify', '--data-dir', folder])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Can’t read an audit log'),
  })
  expect((await headgate(folder, ['audit', 'verify', '--data-dir', join(folder, 'none')])).err).toContain(
    'is not a data folder',
  )
  expect((await headgate(folder, ['audit', 'verify'])).err).toContain('Pass either one exported FILE or --data-dir DIR')
})
