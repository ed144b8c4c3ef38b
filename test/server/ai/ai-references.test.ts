import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AiReference, AiReferencePart, AiReferenceSummary } from '../../../src/contract/ai-references.ts'
import { MAX_REFERENCE_BYTES } from '../../../src/contract/ai-references.ts'
import type { Paginated } from '../../../src/contract/common.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let editor: TestClient
beforeAll(async () => {
  server = await startTestServer()
  editor = server.as('editor')
})
afterAll(() => server.close())
const sqlite = () => server.platform.store.sqlite
beforeEach(() => sqlite().exec('DELETE FROM ai_reference_parts; DELETE FROM ai_references'))

const path = '/api/ai/references'
const given = (more: object = {}) => ({
  title: 'Orders',
  kind: 'markdown',
  content: '# Orders\n\nOne per row.',
  ...more,
})
async function made(more: object = {}): Promise<AiReference> {
  const answer = await editor.post(path, given(more))
  expect(answer.status).toBe(201)
  return answer.body as AiReference
}
async function listed(query: Record<string, string | number> = {}): Promise<string[]> {
  const { body } = await server.as('viewer').get(path, { query })
  return (body as Paginated<AiReferenceSummary>).result.map(({ title }) => title)
}
async function preview(prompt: string, reference_ids?: number[]): Promise<AiReferencePart[]> {
  const { body, status } = await server.as('viewer').post(`${path}/preview`, { prompt, reference_ids })
  expect(status).toBe(200)
  return (body as { parts: AiReferencePart[] }).parts
}
const isIndexing = async (id: number) => ((await editor.get(`${path}/${id}`)).body as AiReference).indexing
const codes = (body: unknown) => (body as { details?: { code: string }[] }).details?.map(({ code }) => code)
const filler = (word: string, length = 5_000) => `${word} `.repeat(Math.ceil(length / (word.length + 1)))

test('a reference is created, read, listed without its content, updated, and deleted with 200', async () => {
  const reference = await made({ tags: ['sales'], content: 'Größe: 5 µm' })
  expect(reference).toMatchObject({ title: 'Orders', kind: 'markdown', tags: ['sales'], size: 14, updated_at: null })
  const { body: list } = await server.as('viewer').get(path)
  const [row] = (list as Paginated<AiReferenceSummary>).result
  expect(row).not.toHaveProperty('content')
  const saved = await editor.put(`${path}/${reference.id}`, given({ kind: 'text', content: 'Other' }))
  expect(saved.body).toMatchObject({ kind: 'text', content: 'Other', tags: [], size: 5 })
  const deleted = await editor.delete(`${path}/${reference.id}`)
  expect([deleted.status, deleted.body]).toEqual([200, { success: true }])
  expect((await editor.get(`${path}/${reference.id}`)).status).toBe(404)
})

test('a tag with an invisible character is refused, where the reference is created and where it is changed', async () => {
  const { id } = await made({ tags: ['sales'] })
  const body = given({ title: 'Other', tags: ['sales', 'a\u202Eb'] })
  for (const { status, body: refusal } of [await editor.post(path, body), await editor.put(`${path}/${id}`, body)])
    expect([status, codes(refusal)]).toEqual([400, ['invisible_character']])
})

test('q finds titles, tags, and words of the content, whatever the case', async () => {
  await made({ title: 'Alpha', content: 'Deliveries are late' })
  await made({ title: 'Beta', tags: ['Warehouse'], content: 'Zürich and Köln' })
  expect(await listed({ q: 'ALPH' })).toEqual(['Alpha'])
  expect(await listed({ q: 'warehouse' })).toEqual(['Beta'])
  expect(await listed({ q: 'zurich' })).toEqual(['Beta'])
  expect(await listed({ q: 'delivery late' })).toEqual(['Alpha'])
  expect(await listed({ q: '" OR *' })).toEqual([])
  expect(await listed({ kind: 'schema' })).toEqual([])
})

test('a title is unique, a text has at most 1 MiB and is text', async () => {
  await made()
  expect((await editor.post(path, given())).status).toBe(409)
  const most = await editor.post(path, given({ title: 'Full', content: 'x'.repeat(MAX_REFERENCE_BYTES) }))
  expect(most.status).toBe(201)
  const wide = await editor.post(path, given({ title: 'Wide', content: 'ä'.repeat(MAX_REFERENCE_BYTES / 2 + 1) }))
  expect([wide.status, codes(wide.body)]).toEqual([400, ['reference_too_large']])
  const escaped = JSON.stringify(given({ title: 'Escaped', content: '\u0001'.repeat(MAX_REFERENCE_BYTES) }))
  expect(escaped.length).toBeGreaterThan(6 * MAX_REFERENCE_BYTES)
  expect((await editor.post(path, given({ title: 'Nul', content: 'a\0b' }))).status).toBe(400)
  expect((await editor.post(path, given({ title: 'Blank', content: ' \n' }))).status).toBe(400)
  expect((await editor.post(path, given({ title: 'Half', content: 'a\uD800' }))).status).toBe(400)
})

test('all references together have at most 64 MiB, whichever of them grows', async () => {
  const one = await made({ title: 'Small', content: 'small' })
  sqlite().exec(`INSERT INTO ai_references (title, kind, tags, size, search_text, revision, created_by, created_at)
    VALUES ('Large', 'text', '[]', ${64 * 1024 * 1024 - 10}, 'large', 1, 1, '2026-01-01T00:00:00.000Z')`)
  expect((await editor.put(`${path}/${one.id}`, given({ title: 'Small', content: 'ten bytes!' }))).status).toBe(200)
  const more = await editor.put(`${path}/${one.id}`, given({ title: 'Small', content: 'ten bytes!!' }))
  expect([more.status, codes(more.body)]).toEqual([400, ['references_full']])
})

test('a stale If-Match loses nothing', async () => {
  const { id } = await made()
  const read = await editor.get(`${path}/${id}`)
  const headers = { 'if-match': read.headers.get('etag') ?? '' }
  expect((await editor.put(`${path}/${id}`, given({ content: 'First' }), { headers })).status).toBe(200)
  expect((await editor.put(`${path}/${id}`, given({ content: 'Second' }), { headers })).status).toBe(409)
  expect((await editor.get(`${path}/${id}`)).body).toMatchObject({ content: 'First' })
})

test('short references that were chosen are complete, of long ones the eight best parts are used', async () => {
  const short = await made({ title: 'Short', content: 'Nothing about it' })
  const sections = Array.from(
    { length: 20 },
    (_, at) => `# Part ${at}\n\n${at < 12 ? 'invoice' : 'holiday'} ${filler('x', 300)}`,
  )
  const long = await made({ title: 'Long', content: sections.join('\n\n') })
  const other = await made({ title: 'Other', content: filler('invoice') })
  const parts = await preview('Load the invoices', [short.id, long.id])
  expect(parts[0]).toMatchObject({ title: 'Short', complete: true, heading: '', text: 'Nothing about it' })
  expect(parts.slice(1).map(({ reference_id, complete }) => [reference_id, complete])).toEqual(
    Array.from({ length: 8 }, () => [long.id, false]),
  )
  expect(parts.every(({ text }) => !text.includes('holiday'))).toBe(true)
  const all = await preview('Load the invoices')
  expect(all.some(({ reference_id }) => reference_id === other.id)).toBe(true)
  expect(await preview('the of and', [long.id])).toEqual([])
})

test('a part knows its headings, a heading counts more than the text, and code is no heading', async () => {
  const content = `# Sales\n\n## Refunds\n\n${filler('a')}\n\n\`\`\`\n# Shipping\n\`\`\`\n\n## Shipping\n\n${filler('b')}\n\n## Notes\n\nshipping ${filler('c')}`
  const { id } = await made({ content })
  const [first] = await preview('shipping', [id])
  expect(first).toMatchObject({ heading: 'Orders › Sales › Shipping' })
})

test.each([
  [
    'SQL',
    `CREATE TABLE customers (\n id integer\n);\n${filler('--')}\nCREATE TABLE IF NOT EXISTS "sales"."invoices" (\n total numeric\n);`,
    'Orders › sales.invoices',
  ],
  [
    'JSON Schema',
    JSON.stringify({ $defs: { customers: { pad: filler('x') }, invoices: { type: 'object' } } }),
    'Orders › invoices',
  ],
  [
    'OpenAPI',
    JSON.stringify({ openapi: '3.1.0', info: { pad: filler('x') }, paths: { '/invoices': { get: {} } } }),
    'Orders › /invoices',
  ],
])('the parts of a schema in %s are what it defines', async (_, content, heading) => {
  const { id } = await made({ kind: 'schema', content })
  expect((await preview('invoices', [id]))[0]).toMatchObject({ heading })
})

test('hostile texts are cut like others: deep JSON, an endless line, no line end, characters of four bytes', async () => {
  const texts = [
    '{"a":'.repeat(150_000),
    '['.repeat(500_000),
    'x'.repeat(900_000),
    '😀'.repeat(200_000),
    '\r'.repeat(3) + 'x',
  ]
  for (const [index, content] of texts.entries()) {
    const { id } = await made({ title: `T${index}`, kind: index < 2 ? 'schema' : 'markdown', content })
    await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
    const parts = sqlite().prepare('SELECT text FROM ai_reference_parts WHERE reference_id = ?').pluck().all(id)
    const found = parts.map(String)
    expect(found.every((text) => text.isWellFormed() && text.length <= 2_000)).toBe(true)
    expect(found.join('').length).toBe(content.trim().length)
  }
})

test('what was deleted or replaced is found no more', async () => {
  const gone = await made({ title: 'Gone', content: `unicorn ${filler('x')}` })
  const kept = await made({ title: 'Kept', content: `unicorn ${filler('y')}` })
  await editor.put(`${path}/${kept.id}`, given({ title: 'Kept', content: `griffin ${filler('y')}` }))
  await editor.delete(`${path}/${gone.id}`)
  expect(await preview('unicorn')).toEqual([])
  expect(await preview('griffin')).toHaveLength(1)
  expect(sqlite().prepare('SELECT count(*) FROM ai_reference_texts').pluck().get()).toBe(1)
  sqlite().exec("INSERT INTO ai_reference_fts (ai_reference_fts) VALUES ('integrity-check')")
})

test('a reference that does not exist is named', async () => {
  const { status, body } = await editor.post(`${path}/preview`, { prompt: 'x', reference_ids: [7] })
  expect([status, codes(body)]).toEqual([400, ['reference_unknown']])
})

test('a bundle carries references into another store and back, and a second import changes nothing', async () => {
  const admin = server.as('admin')
  const bundle = async (query = '?ai_references=all') => String((await admin.get(`/api/export${query}`)).body)
  const importing = async (text: string, query = '') => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const { body } = await admin.post(`/api/import${query}`, text, { headers })
    const lines = String(body).trim().split('\n')
    return lines.map((line) => JSON.parse(line) as { result?: { kind: string; name: string; action: string } })
  }
  const large = `# Groß\n\n"\\ ${'ä"\n'.repeat(200_000)}`
  await made({ title: 'Large', content: large, tags: ['a'] })
  await made({ title: 'Table', kind: 'schema', content: 'id,name,city' })
  const text = await bundle()
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ records: { task: 0, ai_reference: 2 } })
  expect((await importing(text)).map(({ result }) => result?.action)).toEqual(['unchanged', 'unchanged', undefined])
  sqlite().exec('DELETE FROM ai_reference_parts; DELETE FROM ai_references')
  expect((await importing(text, '?dry_run=true')).map(({ result }) => result?.action)).toEqual([
    'create',
    'create',
    undefined,
  ])
  expect(await listed()).toEqual([])
  expect((await importing(text)).map(({ result }) => result?.action)).toEqual(['create', 'create', undefined])
  expect(await listed()).toEqual(['Table', 'Large'])
  const records = (one: string) =>
    one
      .split('\n')
      .slice(1)
      .map((line) => line.replaceAll(/"created_at":"[^"]*"/g, ''))
  expect(records(await bundle())).toEqual(records(text))
  expect(await preview('city')).toHaveLength(1)
  const bad = text.replace('schema', 'other').replace('\\"ai_reference\\":2', '')
  expect((await importing(bad)).map(({ result }) => result?.action)).toEqual(['unchanged', 'error', undefined])
})

const long = (word: string) => `# About ${word}\n\n${`${word} is a word of many parts. `.repeat(4_000)}`
const parts = (id: number) =>
  sqlite()
    .prepare<[number], { n: number }>('SELECT count(*) AS n FROM ai_reference_parts WHERE reference_id = ?')
    .get(id)!.n

test('a long reference is saved before it is indexed, says so, and is found when it is', async () => {
  const { id, indexing } = await made({ content: long('zebra') })
  expect(indexing).toBe(true)
  await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
  expect((await preview('zebra')).length).toBe(8)
  expect(await listed({ q: 'zebra' })).toEqual(['Orders'])
  expect((await made({ title: 'Short' })).indexing).toBe(false)
})

test('the text before a change is never found, also while the new one is being indexed', async () => {
  const { id } = await made({ content: long('zebra') })
  await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
  const old = parts(id)
  const put = await editor.put(`${path}/${id}`, given({ content: long('giraffe') }))
  expect(put.body).toMatchObject({ indexing: true })
  expect(await preview('zebra')).toEqual([])
  expect(await preview('zebra', [id])).toEqual([])
  expect(await listed({ q: 'zebra' })).toEqual([])
  await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
  expect(parts(id)).toBeLessThan(old * 1.2)
  expect(await preview('zebra')).toEqual([])
  expect((await preview('giraffe')).length).toBe(8)
})

test('what a crash left is indexed to the end, no part twice', async () => {
  const { id } = await made({ content: long('zebra') })
  await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
  const whole = parts(id)
  // As a kill in the middle leaves it.
  sqlite().exec(`DELETE FROM ai_reference_parts WHERE reference_id = ${id} AND id > (
    SELECT min(id) + 20 FROM ai_reference_parts WHERE reference_id = ${id});
    UPDATE ai_references SET indexed = 0 WHERE id = ${id}`)
  const { body } = await editor.post(`${path}/preview`, { prompt: 'zebra' })
  expect(body).toMatchObject({ indexing: 1 })
  // As the start does.
  await made({ title: 'Another', content: long('giraffe') })
  await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
  expect(parts(id)).toBe(whole)
})

test('a long reference that is deleted is gone immediately, and its parts soon', async () => {
  const { id } = await made({ content: long('zebra') })
  await expect.poll(() => isIndexing(id), { timeout: 10_000 }).toBe(false)
  expect((await editor.delete(`${path}/${id}`)).status).toBe(200)
  expect(parts(id)).toBeGreaterThan(0)
  expect((await editor.get(`${path}/${id}`)).status).toBe(404)
  expect(await listed()).toEqual([])
  expect(await preview('zebra')).toEqual([])
  expect(codes((await editor.post(`${path}/preview`, { prompt: 'zebra', reference_ids: [id] })).body)).toEqual([
    'reference_unknown',
  ])
  const { body } = await editor.post(`${path}/preview`, { prompt: 'zebra' })
  expect(body).toMatchObject({ indexing: 0 })
  expect(String((await server.as('admin').get('/api/export?ai_references=all')).body)).not.toContain('zebra')
  // The title and the space are free again.
  expect((await made({ content: 'A new one' })).title).toBe('Orders')
  const left = () =>
    sqlite().prepare<[], { n: number }>('SELECT count(*) AS n FROM ai_references WHERE removed').get()!.n
  await expect.poll(left, { timeout: 10_000 }).toBe(0)
  expect(parts(id)).toBe(0)
  expect(await listed()).toEqual(['Orders'])
})

test('a reference that is deleted while it is indexed leaves nothing', async () => {
  const { id } = await made({ content: long('zebra') })
  await expect.poll(() => parts(id)).toBeGreaterThan(0)
  await editor.delete(`${path}/${id}`)
  const rows = () => sqlite().prepare<[], { n: number }>('SELECT count(*) AS n FROM ai_references').get()!.n
  await expect.poll(rows, { timeout: 10_000 }).toBe(0)
  expect(parts(id)).toBe(0)
  expect(sqlite().prepare('SELECT count(*) FROM ai_reference_texts').pluck().get()).toBe(0)
})
