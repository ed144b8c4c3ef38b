import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../../src/contract/audit.ts'
import { archiveTask, createTask, listTaskVersions, listTasks, updateTask } from '../../../src/contract/tasks.ts'
import { rawRequest } from '../../support/http.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import {
  type Query,
  actions,
  brokenInvariants,
  bundleOf,
  exported,
  header,
  importInto,
  recordsOf,
  taskLine,
  taskYaml,
  templateLine,
  templateYaml,
} from './bundles.ts'

let server: TestServer
let admin: TestClient
let made = 0
const newName = () => `task_${++made}`
beforeAll(async () => {
  server = await startTestServer()
  admin = server.as('admin')
})
afterAll(async () => {
  expect(brokenInvariants(server)).toEqual([])
  expect(readdirSync(join(server.dataDir, 'imports'))).toEqual([])
  await server.close()
})
const byName = async (name: string, archived = false) =>
  (await admin.call(listTasks, { query: { q: name, archived } })).result.find((task) => task.name === name)
const send = (body: string, type = 'application/x-ndjson') =>
  admin.post('/api/import', body, { headers: { 'content-type': type } })

describe('export and import', () => {
  test('into an empty store gives an equal store, and again is all unchanged', async () => {
    const [a, b, gone] = [newName(), newName(), newName()]
    const create = (yaml_content: string, more: object = {}) =>
      admin.call(createTask, { body: { yaml_content, ...more } })
    const { id } = await create(taskYaml(a), { tags: ['x', 'ä'], change_summary: 'First' })
    await admin.call(updateTask, { params: { id }, body: { yaml_content: taskYaml(a, 'description: "2"\n') } })
    await create(`${taskYaml(b)}# \u{FEFF}🚂 \u2028\r\n`)
    await admin.call(archiveTask, { params: { id: (await create(taskYaml(gone))).id } })
    await admin.post('/api/job-templates', { yaml_content: templateYaml('both', a, ', version: 1') })
    const bundle = await exported(admin)
    const empty = await startTestServer()
    const other = empty.as('admin')
    const dry = await importInto(other, bundle, { mode: 'upsert_all_versions', dry_run: true })
    expect((await other.call(listTasks)).total).toBe(0)
    const real = await importInto(other, bundle, { mode: 'upsert_all_versions' })
    expect(dry.text).toBe(real.text)
    expect(real.summary).toEqual({ kind: 'summary', created: 4, updated: 0, skipped: 0, unchanged: 0, errors: 0 })
    expect(recordsOf(await exported(other))).toEqual(recordsOf(bundle))
    const again = await importInto(other, bundle, { mode: 'upsert_all_versions' })
    expect(again.summary).toMatchObject({ unchanged: 4, created: 0, updated: 0, skipped: 0, errors: 0 })
    expect((await importInto(other, bundle)).summary).toMatchObject({ unchanged: 4 })
    // Versions are found again by name, and the current one says what it connects to.
    const [task] = (await other.call(listTasks, { query: { q: a } })).result
    expect(task).toMatchObject({ name: a, current_version: 2, description: '2', tags: ['x', 'ä'] })
    expect(JSON.parse(task!.connector_refs!)).toEqual({ out: { types: ['file'], access: 'write' } })
    expect(brokenInvariants(empty)).toEqual([])
    await empty.close()
  })

  test('of records that fill many lines is whole', async () => {
    const name = newName()
    const long = (letter: string) => `# ${letter.repeat(700_000)}\n`
    const line = (version: number, letter: string) => ({
      kind: 'task',
      name,
      ...(version > 1 && { continues: true }),
      versions: [{ version, yaml_content: taskYaml(name, long(letter)) }],
    })
    const bundle = bundleOf(line(1, 'a'), line(2, 'b'), line(3, 'c'))
    expect(actions(await importInto(admin, bundle, { mode: 'upsert_all_versions' }))).toEqual([
      [name, 'create', undefined, 3],
    ])
    const { id } = (await byName(name))!
    const copy = await exported(admin, { tasks: String(id), versions: 'all' })
    expect(copy.trimEnd().split('\n')).toHaveLength(4)
    expect((await importInto(admin, copy, { mode: 'upsert_all_versions' })).summary.unchanged).toBe(1)
  })

  test('of what is picked, and of nothing else', async () => {
    const { id } = await admin.call(createTask, { body: { yaml_content: taskYaml(newName()) } })
    const names = async (query: Record<string, string | boolean>) =>
      recordsOf(await exported(admin, query)).map((line) => line.name)
    expect(await names({ tasks: `${id}, ${id}` })).toEqual([`task_${made}`])
    expect(await names({ tasks: 'none' })).toEqual([])
    expect(await names({ job_templates: 'all' })).toEqual(['both'])
    const all = await names({})
    expect(all).toEqual([...(await names({ tasks: 'all' })), 'both'])
    expect(await names({ archived: false })).toEqual(all.filter((name) => name !== 'task_3'))
    expect((await admin.get('/api/export?tasks=999999')).body).toMatchObject({ error: 'NOT_FOUND' })
    for (const list of ['', '1,,2', '0', '1.5', 'all,1', '-1']) {
      expect((await admin.get('/api/export', { query: { tasks: list } })).body).toMatchObject({
        error: 'VALIDATION_ERROR',
        details: [{ path: 'query.tasks' }],
      })
    }
  })
})

describe('import', () => {
  test('applies versions with author, times and summaries, and tells of it as a save does', async () => {
    const name = newName()
    const line = taskLine(name, ['', '# 2\n'])
    Object.assign(line.versions[0]!, { change_summary: 'First', created_at: '2020-05-01T10:00:00Z' })
    await importInto(admin, bundleOf(line), { mode: 'upsert_all_versions' })
    const { id } = (await byName(name))!
    const { result } = await admin.call(listTaskVersions, { params: { id } })
    expect(result).toMatchObject([
      { version: 2, created_by_name: expect.stringMatching(/^admin-/) as unknown },
      { version: 1, change_summary: 'First', created_at: '2020-05-01T10:00:00.000Z' },
    ])
    expect(server.platform.events.after(0, 10_000).at(-1)).toMatchObject({
      type: 'task.changed',
      entity_id: id,
      data: { name, current_version: 2 },
    })
  })

  test('takes BOM, CRLF, blank lines, a last line without an end, and a bundle without its first line', async () => {
    const names = [newName(), newName()]
    const lines = names.map((name) => JSON.stringify(taskLine(name)))
    const { body } = await send(
      `\u{FEFF}${JSON.stringify(header)}\r\n\r\n${lines.join('\r\n')}`,
      'text/plain; charset=UTF-8',
    )
    expect(String(body)).toContain('"created":2')
    expect((await send(lines[0]!)).body).toContain('"unchanged":1')
  })

  test('checks templates after the tasks that stand behind them, and refuses those that would not be saved', async () => {
    const [task, other] = [newName(), newName()]
    const cyclic = {
      ...templateLine(`${task}_cycle`, task),
      versions: [
        {
          version: 1,
          yaml_content: `etl: 1\nkind: job\nname: ${task}_cycle\ntasks:\n  a: {gate: "?", depends_on: [b]}\n  b: {gate: "?", depends_on: [a]}\n`,
        },
      ],
    }
    const bundle = bundleOf(
      templateLine(`${task}_job`, task),
      templateLine(`${task}_lost`, 'nowhere_to_be_found'),
      cyclic,
      taskLine(task),
      taskLine(other, ['steps: [{nonsense: 1}]\n']),
    )
    const dry = await importInto(admin, bundle, { dry_run: true })
    const checked = await importInto(admin, bundle, { validate_only: true })
    const real = await importInto(admin, bundle)
    expect(dry.text).toBe(real.text)
    expect(actions(real)).toEqual([
      [task, 'create', undefined, 1],
      [other, 'error', undefined, undefined],
      [`${task}_job`, 'create', undefined, 1],
      [`${task}_lost`, 'error', undefined, undefined],
      [`${task}_cycle`, 'error', undefined, undefined],
    ])
    expect(real.summary).toMatchObject({ created: 2, errors: 3 })
    expect(real.results[1]).toMatchObject({
      message: expect.stringMatching(/^Version 1, line 7, column/) as unknown,
      validation: { valid: false, diagnostics: [{ severity: 'error', line: 7 }] },
    })
    expect(checked.results.map(({ action, validation }) => [action, validation?.['valid']])).toEqual([
      ['skip', true],
      ['error', false],
      ['skip', true],
      ['error', false],
      ['error', false],
    ])
    expect(checked.summary).toMatchObject({ skipped: 2, errors: 3 })
  })

  test('keeps templates whose pool, channel or archived task has to come first, and says so', async () => {
    const [task, job] = [newName(), newName()]
    await importInto(admin, bundleOf(taskLine(task, [''], { archived: true })))
    const yaml_content = `${templateYaml(job, task, ', pool: wide')}notify: [{on: [failed], channel: ops}]\n`
    const bundle = bundleOf({ ...templateLine(job, task), versions: [{ version: 1, yaml_content }] })
    const { results } = await importInto(admin, bundle)
    expect(results).toMatchObject([{ name: job, action: 'create', validation: { valid: false } }])
    for (const what of ['is archived', 'no pool `wide`', 'no notification channel `ops`']) {
      expect(results[0]!.message).toContain(what)
    }
    const { body } = await admin.get('/api/job-templates', { query: { q: job } })
    const { id } = (body as { result: { id: number }[] }).result[0]!
    expect((await admin.post(`/api/job-templates/${id}/jobs`, { name: job })).status).toBe(400)
  })

  test('a dry run sees the versions that the import would bring, and those that are here', async () => {
    const [task, job] = [newName(), newName()]
    await importInto(admin, bundleOf(taskLine(task, ['', '# 2\n'])), { mode: 'upsert_all_versions' })
    const pinned = (version: number) => ({
      ...templateLine(`${job}_${version}`, task),
      versions: [{ version: 1, yaml_content: templateYaml(`${job}_${version}`, task, `, version: ${version}`) }],
    })
    const bundle = bundleOf(taskLine(task, ['', '# 2\n', '# 3\n']), pinned(1), pinned(3), pinned(4))
    const query = { mode: 'upsert_all_versions' }
    const dry = await importInto(admin, bundle, { ...query, dry_run: true })
    const real = await importInto(admin, bundle, query)
    expect(dry.text).toBe(real.text)
    expect(real.results.map(({ action }) => action)).toEqual(['update', 'create', 'create', 'error'])
    expect(real.results[3]!.message).toContain('has no version 4')
  })

  test('a line whose name is not that of its YAML is an error, and says both', async () => {
    const { results } = await importInto(admin, bundleOf({ ...taskLine(newName()), name: 'another' }))
    expect(results).toMatchObject([
      { name: 'another', action: 'error', message: expect.stringContaining(`task_${made}`) as unknown },
    ])
  })

  test('normalizes names in lines, texts and references; two that become one are an error', async () => {
    const name = newName()
    const odd = `  ${name.toUpperCase()} !! Über`
    const line = (given: string) => ({
      kind: 'task',
      name: given,
      versions: [
        { version: 1, yaml_content: taskYaml(JSON.stringify(given.trim())).replace('etl: 1', 'etl: 1 # kept') },
      ],
    })
    const bundle = bundleOf(line(odd), line(odd.trim().replace('!!', '-')), {
      ...templateLine(`J ${name}`, odd.trim()),
      versions: [{ version: 1, yaml_content: templateYaml(JSON.stringify(`J ${name}`), odd) }],
    })
    const query = { normalize_names: true }
    const dry = await importInto(admin, bundle, { ...query, dry_run: true })
    const real = await importInto(admin, bundle, query)
    expect(dry.text).toBe(real.text)
    expect(actions(real)).toEqual([
      [`${name}_über`, 'create', undefined, 1],
      [`${name}_über`, 'error', undefined, undefined],
      [`j_${name}`, 'create', undefined, 1],
    ])
    expect(real.results[1]!.message).toContain('have the same name once they are normalized')
    expect((await byName(`${name}_über`))!.name).toBe(`${name}_über`)
    expect((await importInto(admin, bundle, query)).summary).toMatchObject({ unchanged: 2, errors: 1 })
  })

  test('`action` chooses lines; the summary covers all', async () => {
    const bundle = bundleOf(taskLine(newName()), { ...taskLine(newName()), name: 'another' })
    const { results, summary } = await importInto(admin, bundle, { action: 'error', dry_run: true })
    expect(results.map(({ action }) => action)).toEqual(['error'])
    expect(summary).toMatchObject({ created: 1, errors: 1 })
    expect((await importInto(admin, bundle, { action: 'update', dry_run: true })).results).toEqual([])
  })

  test('takes a task out of the archive, leaves it there, or leaves it alone', async () => {
    const name = newName()
    await importInto(admin, bundleOf(taskLine(name, [''], { archived: true })))
    expect(await byName(name, true)).toMatchObject({ archived: 1 })
    const policy = async (archived_task_policy: string, text: string) =>
      actions(await importInto(admin, bundleOf(taskLine(name, [text])), { archived_task_policy }))
    expect(await policy('skip', '# 2\n')).toEqual([[name, 'skip', 1, 1]])
    expect(await policy('keep_archived', '# 2\n')).toEqual([[name, 'update', 1, 2]])
    expect(await byName(name, true)).toMatchObject({ current_version: 2 })
    expect(await policy('restore', '# 2\n')).toEqual([[name, 'update', 2, 2]])
    expect(await byName(name)).toMatchObject({ archived: 0, current_version: 2 })
  })
})

test('the audit log says what came of an import, and has no such record of one that applies nothing', async () => {
  const applied = async () =>
    (await admin.call(listAudit, { query: { operation: ['importBundleApplied'], limit: 1 } })).result[0]
  const before = await applied()
  const name = newName()
  const bundle = bundleOf({ kind: 'task', name, versions: [{ version: 1, yaml_content: taskYaml(name) }] })
  await importInto(admin, bundle, { dry_run: true })
  await importInto(admin, bundle, { validate_only: true })
  expect((await applied())?.id).toBe(before?.id)
  await importInto(admin, bundle)
  expect(await applied()).toMatchObject({
    actor: 'system',
    entity: 'import',
    entity_name: '1 created, 0 updated, 0 skipped, 0 unchanged, 0 errors; by admin-1',
  })
})

test('100,000 lines are 100,000 answers, and a line of 1 MiB is one of them', async () => {
  const name = newName()
  const line = (given: string, yaml_content: string) =>
    JSON.stringify({ kind: 'task', name: given, versions: [{ version: 1, yaml_content }] })
  const room = 1_048_576 - line(name, taskYaml(name, '# ')).length
  const longest = line(name, taskYaml(name, `# ${'x'.repeat(room)}`))
  expect(longest).toHaveLength(1_048_576)
  const others = Array.from({ length: 99_999 }, (_, i) => line(`none_${i}`, 'x'))
  const { body } = await send([longest, ...others].join('\n'))
  const lines = String(body).trimEnd().split('\n')
  expect(lines).toHaveLength(100_001)
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ created: 1, errors: 99_999 })
}, 120_000)

describe('a bundle that cannot be read', () => {
  const line = (name: string) => JSON.stringify(taskLine(name))
  test.each<[string, (name: string) => string | Buffer, object]>([
    ['no JSON', (name) => `${line(name)}\n{"kind": tru}\n`, { line: 2, column: 10 }],
    ['an unknown kind', (name) => `${line(name)}\n{"kind":"trigger","name":"x"}`, { line: 2, column: 2 }],
    [
      'no name',
      (name) => `${line(name)}\n\r\n{"kind":"task","versions":[{"version":1,"yaml_content":"x"}]}`,
      { line: 3, path: 'body.name' },
    ],
    ['a newer format', (name) => `{"kind":"bundle","format":2}\n${line(name)}`, { line: 1, path: 'body.format' }],
    ['a name twice', (name) => `${line(name)}\n${line(name)}\n`, { line: 2, path: 'body.name' }],
    ['a line of more than 1 MiB', (name) => `${line(name)}\n"${'x'.repeat(1_048_577)}"\n`, { line: 2 }],
    [
      'bytes that are no UTF-8',
      (name) => Buffer.concat([Buffer.from(`${line(name)}\n{"a":"`), Buffer.from([0xc3, 0x28])]),
      { line: 2, column: 7 },
    ],
    [
      'half of a character',
      (name) => `${line(name)}\n{"kind":"task","name":"\\udfff","versions":[{"version":1,"yaml_content":"x"}]}`,
      { line: 2, column: 16 },
    ],
    ['nothing but a line of more than 1 MiB', () => `"${'x'.repeat(1_048_577)}"`, { line: 1, column: 1_048_577 }],
    ['nothing', () => '', { line: 1 }],
    ['only blanks', () => ' \r\n\n', { line: 1 }],
  ])('with %s is refused with its place; nothing is applied', async (_, make, place) => {
    const name = newName()
    const headers = { ...admin.headers, 'content-type': 'application/x-ndjson' }
    const answer = await fetch(`${server.url}/api/import`, {
      method: 'POST',
      headers,
      body: new Blob([make(name) as string]),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'IMPORT_ERROR', details: [expect.objectContaining(place)] })
    expect(await byName(name)).toBeUndefined()
  })

  test('names the first twenty mistakes', async () => {
    const { body } = await send('x\n'.repeat(1_000))
    expect(body).toMatchObject({ details: expect.objectContaining({ length: 20 }) as unknown })
  })

  test.each([
    ['application/json', 'Send application/x-ndjson or text/plain'],
    ['text/plain; charset=latin1', 'Send it as UTF-8, not as latin1'],
    ['multipart/form-data', 'Send application/x-ndjson or text/plain'],
  ])('of the type %s is refused', async (type, message) => {
    expect(await send(line(newName()), type)).toMatchObject({
      status: 415,
      body: { error: 'UNSUPPORTED_MEDIA_TYPE', message },
    })
  })

  test('that is announced as larger than 256 MiB is refused unread', async () => {
    const headers = {
      host: new URL(server.url).host,
      ...admin.headers,
      'content-type': 'text/plain',
      'content-length': String(256 * 1024 * 1024 + 1),
    }
    expect((await rawRequest(server.url, 'POST', '/api/import', headers)).status).toBe(413)
  })
})

test('other operations still take JSON only', async () => {
  const answer = await admin.post('/api/tasks', 'x', { headers: { 'content-type': 'text/plain' } })
  expect(answer.status).toBe(415)
})

test('an editor may neither export nor import', async () => {
  const editor = server.as('editor')
  expect((await editor.get('/api/export')).status).toBe(403)
  expect((await importInto(editor, bundleOf())).status).toBe(403)
})

test('a record whose name has an invisible character is refused alone, unless it is here', async () => {
  const [bad, good] = [`${newName()}\u202Elmx`, newName()]
  const bundle = bundleOf(taskLine(bad), taskLine(good))
  const queries: Query[] = [{ validate_only: true }, { dry_run: true }, {}]
  for (const query of queries) {
    const { results } = await importInto(admin, bundle, query)
    expect(results[0]).toMatchObject({
      name: bad,
      action: 'error',
      code: 'name_mistake',
      message: 'The name must not contain the invisible character U+202E',
    })
    expect(results[1]).toMatchObject({ name: good, action: 'validate_only' in query ? 'skip' : 'create' })
  }
  const { id } = await admin.call(createTask, { body: { yaml_content: taskYaml(newName()) } })
  server.platform.store.sqlite.prepare('UPDATE tasks SET name = ? WHERE id = ?').run(bad, id)
  expect((await importInto(admin, bundle)).results[0]).toMatchObject({ name: bad, action: 'update' })
})

test('a record whose tag has an invisible character is refused alone, unless it has the tag here', async () => {
  const [bad, good] = [newName(), newName()]
  const tags = ['fine', 'a\u202Eb']
  const bundle = bundleOf(taskLine(bad, [''], { tags }), taskLine(good, [''], { tags: ['fine'] }))
  const queries: Query[] = [{ validate_only: true }, { dry_run: true }, {}]
  for (const query of queries) {
    const { results } = await importInto(admin, bundle, query)
    expect(results[0]).toMatchObject({
      name: bad,
      action: 'error',
      code: 'import_tag_invalid',
      params: { number: 2 },
    })
    expect(results[1]).toMatchObject({ name: good, action: 'validate_only' in query ? 'skip' : 'create' })
  }
  expect(await byName(bad)).toBeUndefined()
  const { id } = await admin.call(createTask, { body: { yaml_content: taskYaml(bad) } })
  server.platform.store.sqlite.prepare('UPDATE tasks SET tags = ? WHERE id = ?').run(JSON.stringify([tags[1]]), id)
  expect((await importInto(admin, bundle)).results[0]).toMatchObject({ name: bad, action: 'update' })
  expect((await byName(bad))?.tags).toEqual(tags)
})
