import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/contract/audit.ts'
import { archiveTask, createTask } from '../../../src/contract/tasks.ts'
import { listUploads } from '../../../src/contract/uploads.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = `${server.dataDir}-files`
})
afterAll(() => server.close())
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const upload = async (client: TestClient, name: string, body = 'id\n1\n') => {
  const headers = { 'content-type': 'application/octet-stream' }
  expect((await client.post('/api/uploads', body, { headers, query: { name } })).status).toBe(201)
}
const remove = (client: TestClient, name: string, query = {}) =>
  client.delete(`/api/uploads/${encodeURIComponent(name)}`, { query })
const list = async (client = server.as('viewer')) => (await client.call(listUploads, {})).result
const names = async () => (await list()).map(({ name }) => name).toSorted()

let made = 0
const task = (glob: string, inputs = '') => {
  const name = `reads_${++made}`
  const yaml_content = `etl: 1
kind: pipeline
name: ${name}
connectors:
  files: {type: file, access: read_write}
${inputs}source:
  connector: files
  files: {glob: ${glob}, format: csv}
target:
  connector: files
  file: {path: out.jsonl}
`
  return server.as('editor').call(createTask, { body: { yaml_content } })
}

test('uploads are listed with size, time and person', async () => {
  const editor = server.as('editor')
  await upload(editor, 'orders.csv')
  const [file, ...others] = await list()
  expect(others).toEqual([])
  expect(file).toMatchObject({ name: 'orders.csv', bytes: 5, used_by: [] })
  expect(file?.uploaded_by_name).toMatch(/^editor-/)
  expect(file?.connector_id).toBeGreaterThan(0)
  expect(Math.abs(Date.parse(file?.uploaded_at ?? '') - Date.now())).toBeLessThan(60_000)
})

test('pages of the list hold every file once, in both directions', async () => {
  mkdirSync(folder)
  const all = Array.from({ length: 23 }, (_, at) => `file ${at}.csv`)
  for (const name of all) writeFileSync(join(folder, name), name)
  const client = server.as('viewer')
  const seen: string[] = []
  let cursor: string | undefined
  let back: string | null = null
  do {
    const page = await client.call(listUploads, { query: { limit: 10, ...(cursor && { cursor }) } })
    expect(page.total).toBe(23)
    seen.push(...page.result.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
    back = page.prevCursor
  } while (cursor)
  expect(seen.toSorted()).toEqual(all.toSorted())
  const before = await client.call(listUploads, { query: { limit: 10, cursor: back! } })
  expect(before.result.map(({ name }) => name)).toEqual(seen.slice(10, 20))
})

test('editors delete their own uploads, admins all', async () => {
  const [ada, bob] = [server.as('editor'), server.as('editor')]
  for (const name of ['one.csv', 'two.csv']) await upload(ada, name)
  expect(await remove(bob, 'one.csv')).toMatchObject({
    status: 403,
    body: { message: 'one.csv was uploaded by someone else. Ask them or an administrator to delete it.' },
  })
  expect((await remove(server.as('viewer'), 'one.csv')).status).toBe(403)
  expect((await remove(ada, 'one.csv')).status).toBe(200)
  expect((await remove(server.as('admin'), 'two.csv')).status).toBe(200)
  expect((await remove(ada, 'one.csv')).status).toBe(404)
  expect(readdirSync(folder)).toEqual([])
})

test('a file that replaced an upload in the folder belongs to nobody', async () => {
  const ada = server.as('editor')
  await upload(ada, 'one.csv')
  rmSync(join(folder, 'one.csv'))
  writeFileSync(join(folder, 'one.csv'), 'of another program')
  expect(await list()).toMatchObject([{ name: 'one.csv', uploaded_by: null, uploaded_by_name: null }])
  expect((await remove(ada, 'one.csv')).status).toBe(403)
  expect((await remove(server.as('admin'), 'one.csv')).status).toBe(200)
})

test('a file that tasks name as a source is deleted only with force', async () => {
  const editor = server.as('editor')
  for (const name of ["o'neil (1).csv", 'b.csv', 'c.csv', 'free.csv']) await upload(editor, name)
  const direct = await task("'o''neil (1).csv'")
  const several = await task('"below/{b.csv,x.csv}"')
  const input = await task('other.csv', 'inputs:\n  more: {connector: files, files: {glob: c.csv}}\n')
  await task("'*.csv'")
  const used = new Map((await list()).map((file) => [file.name, file.used_by]))
  expect(used.get("o'neil (1).csv")).toEqual([{ id: direct.id, name: direct.name }])
  expect(used.get('b.csv')).toEqual([{ id: several.id, name: several.name }])
  expect(used.get('c.csv')).toEqual([{ id: input.id, name: input.name }])
  expect(used.get('free.csv')).toEqual([])

  expect(await remove(editor, 'b.csv')).toMatchObject({
    status: 409,
    body: { error: 'CONFLICT', code: 'upload_used', params: { name: 'b.csv', tasks: [several.name] } },
  })
  expect(existsSync(join(folder, 'b.csv'))).toBe(true)
  expect((await remove(editor, 'b.csv', { force: true })).status).toBe(200)
  await editor.call(archiveTask, { params: { id: input.id } })
  expect((await remove(editor, 'c.csv')).status).toBe(200)
  expect((await remove(editor, 'free.csv')).status).toBe(200)
  expect(await names()).toEqual(["o'neil (1).csv"])
})

test('no name leads out of the folder, to a link, a folder or a hidden file', async () => {
  await upload(server.as('editor'), 'orders.csv')
  const outside = join(server.dataDir, 'outside.txt')
  writeFileSync(outside, 'kept')
  symlinkSync(outside, join(folder, 'link.csv'))
  mkdirSync(join(folder, 'below'))
  writeFileSync(join(folder, 'below', 'inner.csv'), 'kept')
  writeFileSync(join(folder, '.upload-0b9f.part'), 'under way')
  expect(await names()).toEqual(['orders.csv'])
  const admin = server.as('admin')
  const tried = [
    `../${server.dataDir.split('/').at(-1)}/outside.txt`,
    outside,
    '..',
    '.',
    'link.csv',
    'below',
    'below/inner.csv',
    String.raw`below\inner.csv`,
    './orders.csv',
    '.upload-0b9f.part',
  ]
  for (const name of tried) {
    // `.` and `..` never leave a client.
    const path = /^\.+$/.test(name) ? name.replaceAll('.', '%252e') : encodeURIComponent(name)
    const { status } = await admin.delete(`/api/uploads/${path}`, { query: { force: true } })
    expect({ name, status }).toEqual({ name, status: 404 })
  }
  expect(readdirSync(folder).toSorted()).toEqual(['.upload-0b9f.part', 'below', 'link.csv', 'orders.csv'])
  expect(existsSync(outside)).toBe(true)
  expect(existsSync(join(folder, 'below', 'inner.csv'))).toBe(true)
})

test('a folder within the data folder is neither listed nor cleared', async () => {
  server.platform.config.uploads.folder = server.dataDir
  try {
    const admin = server.as('admin')
    expect((await admin.get('/api/uploads')).status).toBe(503)
    const [name] = readdirSync(server.dataDir)
    expect((await remove(admin, name!)).status).toBe(503)
    expect(readdirSync(server.dataDir)).toContain(name)
  } finally {
    server.platform.config.uploads.folder = null
  }
})

test('the audit log says who deleted which file', async () => {
  const editor = server.as('editor')
  await upload(editor, 'orders.csv')
  await remove(editor, 'orders.csv')
  const { result } = await server.as('admin').call(listAudit, { query: { operation: ['deleteUpload'], limit: 1 } })
  expect(result).toMatchObject([{ entity: 'upload', path: '/api/uploads/orders.csv', outcome: 'ok' }])
  expect(result[0]?.username).toMatch(/^editor-/)
})

test('an upload whose client leaves at its end is not kept', async () => {
  await upload(server.as('editor'), 'before.csv')
  const left = new AbortController()
  async function* body() {
    yield await Promise.resolve(Buffer.alloc(100_000))
    left.abort(new Error('The client has gone'))
  }
  const user = server.services.users.create({ username: 'leaver', role: 'editor', passwordHash: null })
  const caller = {
    kind: 'session',
    user_id: user.id,
    username: 'leaver',
    role: 'editor',
    scopes: [],
    pending: false,
  } as const
  const taking = server.services.uploads.take(body(), 'left.csv', null, { ...caller, scopes: [] }, left.signal)
  await expect(taking).rejects.toThrow('The client has gone')
  expect(readdirSync(folder)).toEqual(['before.csv'])
})
