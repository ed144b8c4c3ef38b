import { msg } from '../../../src/contract/messages.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import {
  type Task,
  type TaskDetail,
  type TaskVersion,
  createTask,
  getTask,
  listTaskVersions,
  listTasks,
  updateTask,
} from '../../../src/contract/tasks.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let editor: TestClient
beforeAll(async () => {
  server = await startTestServer()
  editor = server.as('editor')
})
afterAll(() => server.close())

const yaml = (name: string, more = '') => `etl: 1
kind: pipeline
name: ${name}
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: out, file: {path: out.csv}}
${more}`
let made = 0
const newName = () => `task_${++made}`
const create = (text = yaml(newName()), more: { tags?: string[]; change_summary?: string } = {}) =>
  editor.call(createTask, { body: { yaml_content: text, ...more } })
const save = (id: number, body: object, headers: Record<string, string> = {}) =>
  editor.put(`/api/tasks/${id}`, body, { headers })
const versionsOf = async (id: number) => (await editor.call(listTaskVersions, { params: { id } })).result

describe('saving', () => {
  test('takes name and description from the YAML, and keeps the text as it is, byte for byte', async () => {
    const text = `# Straße 🚂\r\n${yaml('my.first_task', 'description: "Öffnet um 8"\n')}\n\n# end`
    const task = await create(text, { tags: ['daily', 'Berlin'], change_summary: 'First' })
    expect(task).toMatchObject({
      name: 'my.first_task',
      description: 'Öffnet um 8',
      current_version: 1,
      tags: ['daily', 'Berlin'],
      archived: 0,
      yaml_content: text,
    })
    expect(JSON.parse(task.connector_refs!)).toEqual({ out: { types: ['file'], access: 'write' } })
    expect(await editor.call(getTask, { params: { id: task.id } })).toEqual(task)
    const [version] = await versionsOf(task.id)
    expect(version).toMatchObject({ version: 1, yaml_content: text, change_summary: 'First' })
    expect(version!.created_by_name).toMatch(/^editor-/)
  })

  test('a change makes a version; the same text again makes none and touches nothing', async () => {
    const name = newName()
    const { id } = await create(yaml(name))
    const changed = yaml(name, 'description: More\n')
    const saved = await editor.call(updateTask, {
      params: { id },
      body: { yaml_content: changed, change_summary: 'M' },
    })
    expect(saved).toMatchObject({ current_version: 2, description: 'More' })
    const before = await editor.get(`/api/tasks/${id}`)
    const again = await save(id, { yaml_content: changed, change_summary: 'Nothing' })
    expect(again).toMatchObject({ status: 200, body: before.body })
    expect(again.headers.get('etag')).toBe(before.headers.get('etag'))
    expect((await versionsOf(id)).map(({ version, change_summary }) => [version, change_summary])).toEqual([
      [2, 'M'],
      [1, null],
    ])
  })

  test('tags alone make no version; left out they stay, an empty list takes them away', async () => {
    const task = await create(yaml(newName()), { tags: ['a'] })
    const { id, yaml_content } = task
    expect((await save(id, { yaml_content, tags: ['b', 'c'] })).body).toMatchObject({
      tags: ['b', 'c'],
      current_version: 1,
    })
    expect((await save(id, { yaml_content: `${yaml_content}# more` })).body).toMatchObject({
      tags: ['b', 'c'],
      current_version: 2,
    })
    expect((await save(id, { yaml_content: `${yaml_content}# more`, tags: [] })).body).toMatchObject({
      tags: [],
      current_version: 2,
    })
    expect(await versionsOf(id)).toHaveLength(2)
  })

  test('tags are added and removed without a version, the others stay, and what changed takes it back', async () => {
    const { id } = await create(yaml(newName()), { tags: ['a', 'b'] })
    const tag = (body: object) => editor.patch(`/api/tasks/${id}/tags`, body)
    expect((await tag({ add: ['Straße', 'a'], remove: ['b', 'z'] })).body).toEqual({
      tags: ['a', 'Straße'],
      added: ['Straße'],
      removed: ['b'],
    })
    const now = await editor.get(`/api/tasks/${id}`)
    expect(now.body).toMatchObject({ tags: ['a', 'Straße'], current_version: 1 })
    // What is there already changes nothing, and makes no ETag stale.
    expect((await tag({ add: ['a'], remove: ['z'] })).body).toMatchObject({ added: [], removed: [] })
    expect((await tag({})).status).toBe(200)
    expect((await editor.get(`/api/tasks/${id}`)).headers.get('etag')).toBe(now.headers.get('etag'))
    expect((await tag({ add: ['b'], remove: ['Straße'] })).body).toMatchObject({ tags: ['a', 'b'] })
    // Removed and added is added.
    expect((await tag({ add: ['c'], remove: ['a', 'c'] })).body).toMatchObject({ tags: ['b', 'c'] })
    expect(await versionsOf(id)).toHaveLength(1)
  })

  test('more tags than a record may have are refused, and none of them is added', async () => {
    const many = Array.from({ length: 49 }, (_, n) => `t${n}`)
    const { id } = await create(yaml(newName()), { tags: many })
    const refused = await editor.patch(`/api/tasks/${id}/tags`, { add: ['x', 'y'] })
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.add', code: 'too_many_tags', params: { count: 51, most: 50 } }] },
    })
    expect((await editor.patch(`/api/tasks/${id}/tags`, { add: ['x', 'y'], remove: ['t0'] })).status).toBe(200)
    for (const body of [{ add: [''] }, { add: ['x'.repeat(61)] }, { add: ['x', 'x'] }, { add: 'x' }, { tags: ['x'] }])
      expect([body, (await editor.patch(`/api/tasks/${id}/tags`, body)).status]).toEqual([body, 400])
  })

  test('tags with control or invisible characters are refused, joined letters and emoji are not', async () => {
    const { id, yaml_content } = await create(yaml(newName()), { tags: ['a'] })
    const refused = {
      'a\u202Eb': 'invisible_character',
      'a\u200Bb': 'invisible_character',
      'a\nb': 'control_characters',
    }
    for (const [tag, code] of Object.entries({ ...refused, '\u3164': 'no_visible_character' })) {
      const tags = ['fine', tag]
      const detail = (path: string) => ({ status: 400, body: { details: [{ path: `${path}[1]`, code }] } })
      expect(await editor.post('/api/tasks', { yaml_content: yaml(newName()), tags })).toMatchObject(
        detail('body.tags'),
      )
      expect(await save(id, { yaml_content, tags })).toMatchObject(detail('body.tags'))
      expect(await editor.patch(`/api/tasks/${id}/tags`, { add: tags })).toMatchObject(detail('body.add'))
    }
    const good = ['می\u200Cخواهم', '👩\u200D🔬', '❤\uFE0F', 'Straße 7']
    expect((await save(id, { yaml_content, tags: good })).body).toMatchObject({ tags: good })
  })

  test('a tag from before it was refused still loads, stays, and can be removed', async () => {
    const { id, yaml_content } = await create(yaml(newName()), { tags: ['a'] })
    const old = 'a\u202Eb'
    server.platform.store.sqlite.prepare('UPDATE tasks SET tags = ? WHERE id = ?').run(JSON.stringify([old]), id)
    expect((await editor.get(`/api/tasks/${id}`)).body).toMatchObject({ tags: [old] })
    expect((await save(id, { yaml_content, tags: [old, 'new'] })).body).toMatchObject({ tags: [old, 'new'] })
    expect((await editor.patch(`/api/tasks/${id}/tags`, { remove: [old] })).body).toMatchObject({ tags: ['new'] })
  })

  test('a name that reads as another one is refused; a record that has it loads, and can be saved, renamed, and archived', async () => {
    const old = `${newName()}\u202Elmx`
    const refusal = {
      status: 400,
      body: {
        details: [
          {
            path: 'body.yaml_content',
            code: 'name_mistake',
            message: 'The name must not contain the invisible character U+202E',
          },
        ],
      },
    }
    expect(await editor.post('/api/tasks', { yaml_content: yaml(old) })).toMatchObject(refusal)
    const { id } = await create()
    expect(await save(id, { yaml_content: yaml(old) })).toMatchObject(refusal)
    const { sqlite } = server.platform.store
    sqlite.prepare('UPDATE tasks SET name = ? WHERE id = ?').run(old, id)
    expect((await editor.get(`/api/tasks/${id}`)).body).toMatchObject({ name: old })
    const again = yaml(old, 'description: The same\n')
    expect((await save(id, { yaml_content: again })).body).toMatchObject({ name: old, description: 'The same' })
    const next = newName()
    expect((await save(id, { yaml_content: yaml(next) })).body).toMatchObject({ name: next })
    sqlite.prepare('UPDATE tasks SET name = ? WHERE id = ?').run(old, id)
    expect((await editor.patch(`/api/tasks/${id}/archive`)).status).toBe(200)
  })

  test('tags that two people add at the same time are all kept', async () => {
    const { id } = await create()
    await Promise.all([1, 2, 3, 4].map((n) => editor.patch(`/api/tasks/${id}/tags`, { add: [`n${n}`] })))
    expect((await editor.call(getTask, { params: { id } })).tags.toSorted()).toEqual(['n1', 'n2', 'n3', 'n4'])
    expect((await server.as('viewer').patch(`/api/tasks/${id}/tags`, { add: ['v'] })).status).toBe(403)
  })

  test('a task is renamed by its YAML, which frees the old name and takes the new one', async () => {
    const [old, next] = [newName(), newName()]
    const { id } = await create(yaml(old))
    expect((await save(id, { yaml_content: yaml(next) })).body).toMatchObject({ id, name: next, current_version: 2 })
    expect((await create(yaml(old))).id).not.toBe(id)
    expect(await editor.post('/api/tasks', { yaml_content: yaml(next) })).toMatchObject({
      status: 409,
      body: { error: 'CONFLICT', message: expect.stringContaining(`"${next}" already exists (id ${id})`) },
    })
  })

  test('a taken name is refused and nothing is changed, also by the name of an archived task', async () => {
    const taken = await create()
    await editor.patch(`/api/tasks/${taken.id}/archive`)
    const task = await create()
    const answer = await save(task.id, { yaml_content: yaml(taken.name) })
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('archived') } })
    expect(await editor.call(getTask, { params: { id: task.id } })).toEqual(task)
    expect(await versionsOf(task.id)).toHaveLength(1)
  })

  test('of two that create the same name at once one wins', async () => {
    const text = yaml(newName())
    const answers = await Promise.all([1, 2, 3, 4].map(() => editor.post('/api/tasks', { yaml_content: text })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
  })

  test('a stale ETag is refused, and what the other one saved stays', async () => {
    const name = newName()
    const { id } = await create(yaml(name))
    const etag = (await editor.get(`/api/tasks/${id}`)).headers.get('etag')!
    const mine = { yaml_content: yaml(name, 'description: Mine\n') }
    const theirs = await save(id, { yaml_content: yaml(name, 'description: Theirs\n') }, { 'if-match': etag })
    expect(theirs.status).toBe(200)
    const lost = await save(id, mine, { 'if-match': etag })
    expect(lost).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
    expect(await editor.get(`/api/tasks/${id}`)).toMatchObject({ body: theirs.body })
    expect((await save(id, mine, { 'if-match': theirs.headers.get('etag')! })).body).toMatchObject({
      description: 'Mine',
      current_version: 3,
    })
  })

  test('of many savers with the same ETag exactly one gets through', async () => {
    const name = newName()
    const { id } = await create(yaml(name))
    const headers = { 'if-match': (await editor.get(`/api/tasks/${id}`)).headers.get('etag')! }
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => save(id, { yaml_content: yaml(name, `description: v${n}\n`) }, headers)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect(await versionsOf(id)).toHaveLength(2)
  })

  test('text with errors is refused with every finding at its place, and nothing is saved', async () => {
    const task = await create()
    const broken = task.yaml_content.replace('target:', 'tagret:').replace('kind: pipeline', 'kind: pipline')
    const answer = await save(task.id, { yaml_content: broken })
    expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', message: 'Invalid input' } })
    expect((answer.body as ErrorBody).details).toContainEqual(
      expect.objectContaining({ path: 'body.yaml_content.kind', line: 2, column: 7 }),
    )
    expect(await editor.call(getTask, { params: { id: task.id } })).toEqual(task)
    expect((await editor.post('/api/tasks', { yaml_content: broken })).status).toBe(400)
  })

  test('the same creation under one Idempotency-Key is done once', async () => {
    const body = { yaml_content: yaml(newName()) }
    const headers = { 'idempotency-key': 'create-once' }
    const first = await editor.post('/api/tasks', body, { headers })
    const second = await editor.post('/api/tasks', body, { headers })
    expect(first.status).toBe(201)
    expect(second).toMatchObject({ status: 201, body: first.body })
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  })
})

describe('the archive', () => {
  const patched = async (id: number, way: string) => (await editor.patch(`/api/tasks/${id}/${way}`)).status
  test('takes a task out of the list and gives it back; twice is as good as once', async () => {
    const { id, name } = await create()
    const listed = async (archived: boolean) =>
      (await editor.call(listTasks, { query: { q: name, archived } })).result.map((task) => task.id)
    for (const time of ['first', 'second']) expect([time, await patched(id, 'archive')]).toEqual([time, 200])
    expect([await listed(false), await listed(true)]).toEqual([[], [id]])
    expect((await editor.get(`/api/tasks/${id}`)).body).toMatchObject({ archived: 1 })
    for (const time of ['first', 'second']) expect([time, await patched(id, 'restore')]).toEqual([time, 200])
    expect([await listed(false), await listed(true)]).toEqual([[id], []])
  })

  test('makes an ETag stale: what was archived meanwhile is not saved over', async () => {
    const { id, yaml_content } = await create()
    const etag = (await editor.get(`/api/tasks/${id}`)).headers.get('etag')!
    await editor.patch(`/api/tasks/${id}/archive`)
    expect((await save(id, { yaml_content: `${yaml_content}#` }, { 'if-match': etag })).status).toBe(409)
  })
})

describe('versions', () => {
  test('an earlier one becomes current again as a new one; the others are never changed', async () => {
    const name = newName()
    const { id, yaml_content: first } = await create(yaml(name))
    await save(id, { yaml_content: yaml(name, 'description: Second\n') })
    const before = await versionsOf(id)
    const restored = await editor.post(`/api/tasks/${id}/versions/1/restore`)
    expect(restored).toMatchObject({
      status: 200,
      body: { current_version: 3, description: null, yaml_content: first },
    })
    expect(restored.headers.get('etag')).toBe((await editor.get(`/api/tasks/${id}`)).headers.get('etag'))
    const [newest, ...others] = await versionsOf(id)
    expect(newest).toMatchObject({ version: 3, yaml_content: first, change_summary: 'Restored version 1' })
    expect(others).toEqual(before)
    // The current one is current already.
    expect((await editor.post(`/api/tasks/${id}/versions/3/restore`)).body).toMatchObject({ current_version: 3 })
  })

  test('are found by number, and page both ways', async () => {
    const name = newName()
    const { id } = await create(yaml(name))
    for (const n of [2, 3, 4, 5]) await save(id, { yaml_content: yaml(name, `description: v${n}\n`) })
    expect((await editor.get(`/api/tasks/${id}/versions/2`)).body).toMatchObject({ version: 2, task_id: id })
    const page = async (cursor?: string) =>
      (await editor.get(`/api/tasks/${id}/versions`, { query: { limit: 2, cursor } })).body as Paginated<TaskVersion>
    const first = await page()
    const second = await page(first.nextCursor!)
    const third = await page(second.nextCursor!)
    expect([first, second, third].map(({ result }) => result.map(({ version }) => version))).toEqual([
      [5, 4],
      [3, 2],
      [1],
    ])
    expect(third.nextCursor).toBeNull()
    expect((await page(third.prevCursor!)).result).toEqual(second.result)
    expect(first).toMatchObject({ total: 5, prevCursor: null })
  })

  test.each(['/api/tasks/999999/versions', '/api/tasks/999999/versions/1', '/api/tasks/1/versions/999999'])(
    '%s is a 404',
    async (path) => expect((await editor.get(path)).status).toBe(404),
  )
})

describe('the list', () => {
  let list: TestServer
  let client: TestClient
  const names = ['delta', 'alpha', 'Echo', 'charlie', 'bravo', 'Äpfel', 'foxtrot']
  const ids = new Map<string, number>()
  beforeAll(async () => {
    list = await startTestServer()
    client = list.as('editor')
    for (const [index, name] of names.entries()) {
      const body = {
        yaml_content: yaml(JSON.stringify(name), `description: Number ${index}% of_all\n`),
        tags: index % 2 ? ['odd'] : ['even', 'e"v\\en'],
      }
      ids.set(name, (await client.call(createTask, { body })).id)
    }
  })
  afterAll(() => list.close())

  const page = async (query: Record<string, string | number | boolean | undefined>) => {
    const answer = await client.get('/api/tasks', { query })
    expect(answer.status).toBe(200)
    return answer.body as Paginated<Task>
  }
  const namesOf = ({ result }: Paginated<Task>) => result.map(({ name }) => name)
  async function walk(query: Record<string, string | number>): Promise<Paginated<Task>[]> {
    const pages = [await page(query)]
    while (pages.at(-1)!.nextCursor) pages.push(await page({ ...query, cursor: pages.at(-1)!.nextCursor! }))
    return pages
  }

  test('is newest first; by name it goes from a on', async () => {
    expect(namesOf(await page({}))).toEqual(names.toReversed())
    expect(namesOf(await page({ order: 'asc' }))).toEqual(names)
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(namesOf(await page({ sort: 'name' }))).toEqual(sorted)
    expect(namesOf(await page({ sort: 'name', order: 'desc' }))).toEqual(sorted.toReversed())
  })

  test('searches name and description whatever the case, and takes no character for a wildcard', async () => {
    expect(namesOf(await page({ q: 'ECHO' }))).toEqual(['Echo'])
    expect(namesOf(await page({ q: 'äpf' }))).toEqual(['Äpfel'])
    expect(namesOf(await page({ q: 'number 3%' }))).toEqual(['charlie'])
    expect(namesOf(await page({ q: 'al%a' }))).toEqual([])
    expect(namesOf(await page({ q: 'al_ha' }))).toEqual([])
    expect(namesOf(await page({ q: "' OR 1=1 --" }))).toEqual([])
  })

  test('is narrowed to names that begin so, whatever the case; a description does not count', async () => {
    expect(namesOf(await page({ starts_with: 'ÄPF' }))).toEqual(['Äpfel'])
    expect(namesOf(await page({ starts_with: 'char', q: '3%' }))).toEqual(['charlie'])
    expect(namesOf(await page({ starts_with: 'lpha' }))).toEqual([])
    expect(namesOf(await page({ starts_with: 'number' }))).toEqual([])
    expect(namesOf(await page({ starts_with: '%' }))).toEqual([])
  })

  test('is narrowed by a tag, exactly, and counts what it narrows to', async () => {
    expect(await page({ tag: 'odd', limit: 1 })).toMatchObject({ total: 3, result: [{ name: 'Äpfel' }] })
    expect((await page({ tag: 'e"v\\en' })).total).toBe(4)
    expect((await page({ tag: 'od' })).total).toBe(0)
  })

  test.each(['created_at', 'name', 'updated_at'])('by %s pages forth and back over the same rows', async (sort) => {
    const pages = await walk({ sort, limit: 3 })
    expect(pages.map(({ result }) => result.length)).toEqual([3, 3, 1])
    expect(pages.flatMap(namesOf)).toEqual(namesOf(await page({ sort })))
    const back = await page({ sort, limit: 3, cursor: pages[2]!.prevCursor! })
    expect(namesOf(back)).toEqual(namesOf(pages[1]!))
    expect(namesOf(await page({ sort, limit: 3, cursor: back.prevCursor! }))).toEqual(namesOf(pages[0]!))
  })

  test('tasks made and renamed while one pages neither repeat nor hide others', async () => {
    const before = await page({ sort: 'name', limit: 3 })
    for (const name of ['aaa', 'zzz']) await client.call(createTask, { body: { yaml_content: yaml(name) } })
    const seen = namesOf(before)
    for (let cursor = before.nextCursor; cursor;) {
      const next = await page({ sort: 'name', limit: 3, cursor })
      seen.push(...namesOf(next))
      cursor = next.nextCursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(names))
    expect(seen).toContain('zzz')
    const second = await page({ sort: 'name', limit: 3, cursor: before.nextCursor! })
    const back = await page({ sort: 'name', limit: 10, cursor: second.prevCursor! })
    expect(namesOf(back)).toContain('aaa')
  })

  test('a cursor with any one character changed is refused at query.cursor', async () => {
    const { nextCursor } = await page({ limit: 2, sort: 'name' })
    const damaged = [...nextCursor!].map(
      (char, at) => nextCursor!.slice(0, at) + (char === 'A' ? 'B' : 'A') + nextCursor!.slice(at + 1),
    )
    damaged.push(nextCursor!.slice(0, -1), `${nextCursor}A`, '', 'null', ' ')
    for (const cursor of damaged) {
      const answer = await client.get('/api/tasks', { query: { limit: 2, sort: 'name', cursor } })
      expect([cursor, answer.status]).toEqual([cursor, 400])
      expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', details: [{ path: 'query.cursor' }] })
    }
    expect((await client.get('/api/tasks', { query: { sort: 'updated_at', cursor: nextCursor! } })).status).toBe(400)
    expect((await client.get('/api/connectors', { query: { sort: 'name', cursor: nextCursor! } })).status).toBe(400)
  })
})

describe('a name', () => {
  test('as long and as wide as it may be pages like any other', async () => {
    const wide = ['€', '漢', '"'].map((char) => char.repeat(200))
    for (const name of wide) {
      const answer = await editor.post('/api/tasks', { yaml_content: yaml(`'${name}'`) })
      expect(answer.status).toBe(201)
      const { nextCursor } = await editor.call(listTasks, { query: { sort: 'name', order: 'desc', limit: 1 } })
      expect(
        (await editor.get('/api/tasks', { query: { sort: 'name', order: 'desc', limit: 1, cursor: nextCursor! } }))
          .status,
      ).toBe(200)
    }
  })

  test.each([
    ['of 201 characters', 'x'.repeat(201)],
    ['that is empty', '""'],
    ['of blanks', '"   "'],
    ['with a line break', '"a\\nb"'],
    ['with a NUL', '"a\\0b"'],
  ])('%s is refused at its place', async (_, name) => {
    const answer = await editor.post('/api/tasks', { yaml_content: yaml(name) })
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path: 'request' }, { path: 'body.yaml_content.name', line: 3 }] },
    })
  })
})

describe('a search in the YAML', () => {
  test('finds tasks by a line of their text, whatever the case, and nothing else', async () => {
    const found = await create(`${yaml(newName())}# Reads ORDERS_2026 from the übliche place\n`)
    await create()
    for (const words of ['orders_2026', 'ÜBLICHE']) {
      const { result, total } = await editor.call(listTasks, { query: { yaml: words } })
      expect([words, total, result.map(({ id }) => id)]).toEqual([words, 1, [found.id]])
    }
    expect((await editor.call(listTasks, { query: { yaml: 'orders_2026', q: 'nowhere' } })).total).toBe(0)
  })
})

describe('validation', () => {
  interface Validation {
    valid: boolean
    diagnostics: { code: string; line: number; column: number; end_line: number; message: string; hint?: string }[]
  }
  const validate = async (text: string) => {
    const answer = await editor.post('/api/tasks/validate', { yaml_content: text })
    expect(answer.status).toBe(200)
    return answer.body as Validation
  }
  const good = yaml('good')
  const tenMegabytes = 10 * 1_048_576
  const bomb = Array.from('bcdefghij', (key, level) => {
    const before = 'abcdefghi'[level]!
    return `${key}: &${key} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`
  })

  test('finds nothing in a good task, and says what it needs', async () => {
    const text = yaml('good', 'args: {day: {type: date, required: true}}\n')
    expect(await validate(text)).toMatchObject({
      valid: true,
      connector_refs: { out: { types: ['file'], access: 'write' } },
      arguments: { day: { type: 'date', required: true } },
    })
  })

  test.each([
    ['broken syntax', 'etl: 1\nkind: [pipeline\n', 'yaml_syntax', 2, 7],
    ['an unknown key', `${good}tagret: x\n`, 'unknown_key', 7, 1],
    ['a wrong type', good.replace('name: good', 'name: [good]'), 'wrong_type', 3, 7],
    ['a duplicate key', `${good}name: again\n`, 'duplicate_key', 7, 1],
    ['bare braces', `${good}description: {{ run.id }}\n`, 'bare_braces', 7, 14],
    ['an alias bomb', `a: &a [x, x, x, x, x, x, x, x, x]\n${bomb.join('\n')}\n`, 'too_many_values', 6, 8],
    ['10 MB of text', `${good}description: ${'x'.repeat(tenMegabytes)}\n`, 'document_too_large', 1, 1],
    ['10 MB of one line comment', `# ${'x'.repeat(tenMegabytes)}`, 'document_too_large', 1, 1],
    ['1,000 levels of lists', `a: ${'['.repeat(1000)}${']'.repeat(1000)}`, 'too_deep', 1, 67],
    [
      '1,000 levels of maps',
      Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      'too_deep',
      65,
      66,
    ],
    ['an endless alias', 'a: &a [*a]\n', 'alias_recursive', 1, 8],
    ['a tag', `${good}description: !!js/function x\n`, 'tag_not_allowed', 7, 28],
    ['a tab', 'etl: 1\nargs:\n\ta: 1\n', 'tab_indent', 3, 1],
    ['two documents', `${good}---\na: 1\n`, 'several_documents', 7, 1],
    ['a control character', 'etl: 1\nname: a\u0000b\n', 'invalid_character', 2, 8],
    ['a key that reaches for prototypes', `${good}__proto__: {a: 1}\n`, 'reserved_key', 7, 1],
    ['no text', '', 'document_empty', 1, 1],
    ['a list', '- 1\n', 'wrong_type', 1, 1],
  ])('%s is found at its place, at once', async (_, text, code, line, column) => {
    const began = performance.now()
    const { valid, diagnostics } = await validate(text)
    // Not a measurement: what explodes takes minutes.
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(valid).toBe(false)
    expect(diagnostics.map((found) => [found.code, found.line, found.column])).toContainEqual([code, line, column])
    for (const { message, end_line, line: first } of diagnostics) {
      expect(message).toMatch(/\S/)
      expect(end_line).toBeGreaterThanOrEqual(first)
    }
  })

  test('text that is too large to save is refused before it is parsed, and a body beyond all measure is a 413', async () => {
    const large = `${good}# ${'x'.repeat(1_048_576)}`
    expect(await editor.post('/api/tasks', { yaml_content: large })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.yaml_content' }] },
    })
    const larger = { yaml_content: 'x'.repeat(17 * 1_048_576) }
    expect((await editor.post('/api/tasks/validate', larger)).status).toBe(413)
    expect((await editor.post('/api/tasks', larger)).status).toBe(413)
  })
})

describe('a preview', () => {
  const previewed = (body: object) => editor.post('/api/tasks/preview', body)

  test('of a task with errors is refused with the findings', async () => {
    expect(await previewed({ yaml_content: 'etl: 1\nkind: pipline\n' })).toMatchObject({
      status: 400,
      body: {
        message: 'Invalid input',
        details: expect.arrayContaining([{ path: 'request', ...msg('task_has_errors') }]) as unknown,
      },
    })
  })

  test('with arguments that do not fit is refused with the place of each', async () => {
    const yaml_content = yaml('args', 'args: {n: {type: integer, required: true}, s: {type: string}}\n')
    expect(await previewed({ yaml_content, arguments: { s: 1, other: 2 } })).toMatchObject({
      status: 400,
      body: {
        details: expect.arrayContaining([
          expect.objectContaining({ path: 'body.arguments.n' }),
          expect.objectContaining({ path: 'body.arguments.s' }),
          expect.objectContaining({ path: 'body.arguments.other' }),
        ]),
      },
    })
  })

  test('without an executor says so, and what to do', async () => {
    expect(await previewed({ yaml_content: yaml('alone') })).toMatchObject({
      status: 503,
      body: { error: 'UNAVAILABLE', message: expect.stringContaining('npm run executor') },
    })
  })
})

test('every change is an event, and nothing else is', async () => {
  const latest = () => server.platform.events.latestId()
  const since = (id: number) =>
    server.platform.events.after(id, 100).map(({ type, entity_id, data }) => [type, entity_id, data['current_version']])
  const start = latest()
  const name = newName()
  const { id, yaml_content } = await create(yaml(name))
  await save(id, { yaml_content })
  await save(id, { yaml_content: yaml(name, 'description: x\n') })
  await save(id, { yaml_content: 'broken' })
  await editor.patch(`/api/tasks/${id}/archive`)
  await editor.patch(`/api/tasks/${id}/archive`)
  expect(since(start)).toEqual([
    ['task.changed', id, 1],
    ['task.changed', id, 2],
    ['task.changed', id, 2],
  ])
})

test('the language’s JSON Schema is served for editors', async () => {
  const answer = await editor.get('/api/schemas/task.json')
  expect(answer.status).toBe(200)
  const { anyOf } = answer.body as { anyOf: { properties: Record<string, unknown> }[] } // one a kind of task
  expect(anyOf).toHaveLength(5)
  for (const kind of anyOf) expect(kind.properties).toMatchObject({ etl: {}, kind: {}, name: {}, connectors: {} })
})

test('what a viewer reads of a task is what the editor saved', async () => {
  const task: TaskDetail = await create()
  expect((await server.as('viewer').get(`/api/tasks/${task.id}`)).body).toEqual(task)
})
