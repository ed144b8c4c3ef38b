import { msg } from '../../../src/contract/messages.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import {
  type JobTemplate,
  type JobTemplateValidation,
  createJobTemplate,
  getJobTemplate,
  listJobTemplateVersions,
  listJobTemplates,
  updateJobTemplate,
} from '../../../src/contract/job-templates.ts'
import { type JobWorld, createJobWorld, node, templateYaml } from '../jobs/job-world.ts'

let world: JobWorld
let task: string
beforeAll(async () => {
  world = await createJobWorld()
  task = (await world.task()).name
})
afterAll(() => world.close())

const newName = () => world.newName('template')
const yaml = (name: string, more = '') => templateYaml(name, { load: node(task) }, more)
const create = (text = yaml(newName()), more: { tags?: string[]; change_summary?: string } = {}) =>
  world.editor.call(createJobTemplate, { body: { yaml_content: text, ...more } })
const save = (id: number, body: object, headers: Record<string, string> = {}) =>
  world.editor.put(`/api/job-templates/${id}`, body, { headers })
const versionsOf = async (id: number) => (await world.editor.call(listJobTemplateVersions, { params: { id } })).result

describe('saving', () => {
  test('takes name and description from the YAML, and keeps the text as it is, byte for byte', async () => {
    const text = `# Straße 🚂\r\n${yaml('my.first-template', 'description: "Öffnet um 8"\n')}\n\n# end`
    const template = await create(text, { tags: ['daily'], change_summary: 'First' })
    expect(template).toMatchObject({
      name: 'my.first-template',
      description: 'Öffnet um 8',
      current_version: 1,
      tags: ['daily'],
      archived: 0,
      job_count: 0,
      task_count: 1,
      yaml_content: text,
    })
    expect(JSON.parse(template.connector_refs!)).toEqual({
      lake: { types: ['file'], access: 'read' },
      store: { types: ['file', 's3'], access: 'write' },
    })
    expect(await world.editor.call(getJobTemplate, { params: { id: template.id } })).toEqual(template)
    const [version] = await versionsOf(template.id)
    expect(version).toMatchObject({ version: 1, yaml_content: text, change_summary: 'First' })
    expect(version!.created_by_name).toMatch(/^editor-/)
  })

  test('a change makes a version; the same text again makes none and touches nothing', async () => {
    const name = newName()
    const { id } = await create(yaml(name))
    const text = templateYaml(name, { load: node(task), check: '{gate: "Go on?", depends_on: [load]}' })
    const saved = await world.editor.call(updateJobTemplate, { params: { id }, body: { yaml_content: text } })
    expect(saved).toMatchObject({ current_version: 2, task_count: 2 })
    const before = await world.editor.get(`/api/job-templates/${id}`)
    const again = await save(id, { yaml_content: text, change_summary: 'Nothing' })
    expect(again).toMatchObject({ status: 200, body: before.body })
    expect(again.headers.get('etag')).toBe(before.headers.get('etag'))
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([2, 1])
  })

  test('tags alone make no version', async () => {
    const { id, yaml_content } = await create(yaml(newName()), { tags: ['a'] })
    const tagged = await save(id, { yaml_content, tags: ['b'] })
    expect(tagged.body).toMatchObject({ tags: ['b'], current_version: 1 })
  })

  test('of two that create the same name at once one wins, also against an archived one', async () => {
    const name = newName()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => world.editor.post('/api/job-templates', { yaml_content: yaml(name) })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    const { id } = answers.find(({ status }) => status === 201)!.body as JobTemplate
    await world.editor.patch(`/api/job-templates/${id}/archive`)
    expect(await world.editor.post('/api/job-templates', { yaml_content: yaml(name) })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`"${name}" already exists (id ${id}, archived)`) as unknown },
    })
  })

  test('of many savers with the same ETag exactly one gets through', async () => {
    const name = newName()
    const { id } = await create(yaml(name))
    const headers = { 'if-match': (await world.editor.get(`/api/job-templates/${id}`)).headers.get('etag')! }
    const answers = await Promise.all(
      [1, 2, 3].map((n) => save(id, { yaml_content: yaml(name, `description: v${n}\n`) }, headers)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(await versionsOf(id)).toHaveLength(2)
  })

  test('text with errors is refused with every finding at its line and column, and nothing is saved', async () => {
    const template = await create()
    const broken = templateYaml(template.name, {
      a: node(task, ', depends_on: [b]'),
      b: node(task, ', depends_on: [a]'),
      c: node('no_such_task'),
      d: node(task, ', version: 7'),
      e: `{task: ${task}, connectors: {src: lake}, args: {day: "2026-01-01"}}`,
    })
    const answer = await save(template.id, { yaml_content: broken })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', message: 'Invalid input' },
    })
    const [request, ...details] = (answer.body as ErrorBody).details ?? []
    expect(request).toEqual({ path: 'request', ...msg('template_has_errors') })
    expect(details.length).toBeGreaterThanOrEqual(4)
    for (const { line, column, path, message } of details) {
      expect(line).toBeGreaterThanOrEqual(10)
      expect(column).toBeGreaterThanOrEqual(3)
      expect(path).toMatch(/^body\.yaml_content\.tasks\./)
      expect(message).not.toBe('')
    }
    expect(await world.editor.call(getJobTemplate, { params: { id: template.id } })).toEqual(template)
    expect(await versionsOf(template.id)).toHaveLength(1)
  })

  test('an archived task cannot be put into a template; one that is in there stays', async () => {
    const gone = await world.task()
    const name = newName()
    const text = templateYaml(name, { load: node(gone.name) })
    const { id } = await create(text)
    await world.editor.patch(`/api/tasks/${gone.id}/archive`)
    expect((await world.editor.get(`/api/job-templates/${id}`)).body).toMatchObject({ yaml_content: text })
    expect(await save(id, { yaml_content: `${text}# more\n` })).toMatchObject({ status: 400 })
    await world.editor.patch(`/api/tasks/${gone.id}/restore`)
    expect(await save(id, { yaml_content: `${text}# more\n` })).toMatchObject({ status: 200 })
  })

  test('the same creation under one Idempotency-Key is done once', async () => {
    const body = { yaml_content: yaml(newName()) }
    const headers = { 'idempotency-key': 'create-template-once' }
    const first = await world.editor.post('/api/job-templates', body, { headers })
    const second = await world.editor.post('/api/job-templates', body, { headers })
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  })

  test('names with odd characters are kept, found and told of', async () => {
    const name = 'Ünï 🚂 "quoted" \\ \' %_ <b>.#1'
    const template = await create(yaml(JSON.stringify(name)))
    expect(template.name).toBe(name)
    const found = await world.editor.call(listJobTemplates, { query: { q: 'ÜNÏ 🚂 "quoted" \\ \' %_' } })
    expect(found.result.map(({ id }) => id)).toEqual([template.id])
  })

  test('every change is told, none is told twice', async () => {
    const { events } = world.server.platform
    const since = events.latestId()
    const { id, yaml_content } = await create()
    await save(id, { yaml_content })
    await save(id, { yaml_content: `${yaml_content}#` })
    await world.editor.patch(`/api/job-templates/${id}/archive`)
    await world.editor.patch(`/api/job-templates/${id}/archive`)
    const told = events.after(since, 10).map(({ type, entity_id, data }) => [type, entity_id, data['current_version']])
    expect(told).toEqual([1, 2, 2].map((version) => ['job_template.changed', id, version]))
  })
})

describe('versions', () => {
  test('an earlier one becomes current again as a new one', async () => {
    const name = newName()
    const { id, yaml_content: first } = await create(yaml(name))
    await save(id, { yaml_content: yaml(name, 'description: Second\n') })
    const restored = await world.editor.post(`/api/job-templates/${id}/versions/1/restore`)
    expect(restored).toMatchObject({ status: 200, body: { current_version: 3, yaml_content: first } })
    expect(restored.headers.get('etag')).toBe((await world.editor.get(`/api/job-templates/${id}`)).headers.get('etag'))
    expect((await versionsOf(id))[0]).toMatchObject({ version: 3, change_summary: 'Restored version 1' })
  })
  test('one whose task is not there any more is refused with its place', async () => {
    const gone = await world.task()
    const name = newName()
    const { id } = await create(templateYaml(name, { load: node(gone.name) }))
    await save(id, { yaml_content: yaml(name) })
    await world.editor.put(`/api/tasks/${gone.id}`, {
      yaml_content: gone.yaml_content.replace(gone.name, `${gone.name}_b`),
    })
    const answer = await world.editor.post(`/api/job-templates/${id}/versions/1/restore`)
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path: 'request' }, { line: expect.any(Number) as unknown }] },
    })
  })
  test.each([
    '/api/job-templates/999999/versions',
    '/api/job-templates/999999/versions/1',
    '/api/job-templates/999999',
  ])('%s is a 404', async (path) => expect((await world.editor.get(path)).status).toBe(404))
})

describe('the list', () => {
  test('is narrowed by search, tag and archive, sorted and paged both ways', async () => {
    const tag = newName()
    const names = ['delta', 'alpha', 'charlie', 'bravo', 'echo'].map((name) => `${tag}_${name}`)
    for (const name of names) await create(yaml(name), { tags: [tag] })
    const page = async (query: Record<string, string | number | boolean>) =>
      (await world.editor.get('/api/job-templates', { query: { tag, ...query } })).body as Paginated<JobTemplate>
    const namesOf = ({ result }: Paginated<JobTemplate>) => result.map(({ name }) => name)
    expect(namesOf(await page({}))).toEqual(names.toReversed())
    expect(namesOf(await page({ sort: 'name' }))).toEqual(names.toSorted())
    expect(namesOf(await page({ q: 'CHARL' }))).toEqual([names[2]])
    const first = await page({ sort: 'name', limit: 2 })
    const second = await page({ sort: 'name', limit: 2, cursor: first.nextCursor! })
    expect(first.total).toBe(5)
    expect(namesOf(second)).toEqual(names.toSorted().slice(2, 4))
    expect(namesOf(await page({ sort: 'name', limit: 2, cursor: second.prevCursor! }))).toEqual(namesOf(first))
    const { id } = first.result[0]!
    await world.editor.patch(`/api/job-templates/${id}/archive`)
    expect(namesOf(await page({ archived: true }))).toEqual([names[1]])
    await world.editor.patch(`/api/job-templates/${id}/restore`)
    expect((await page({ archived: true })).total).toBe(0)
  })
})

describe('validation', () => {
  const validate = async (yaml_content: string) =>
    (await world.editor.post('/api/job-templates/validate', { yaml_content })).body as JobTemplateValidation

  test('gives connectors, parameters and the graph with the ids of its tasks, and saves nothing', async () => {
    const text = templateYaml('never_saved', { a: node(task), ask: '{gate: "Sure?", depends_on: [a]}' })
    const result = await validate(text)
    expect(result).toMatchObject({
      valid: true,
      diagnostics: [],
      connector_refs: { lake: { types: ['file'] } },
      parameters: { day: { type: 'date' } },
      nodes: [
        { key: 'a', kind: 'task', task, task_id: expect.any(Number) as unknown, depends_on: [] },
        { key: 'ask', kind: 'gate', task: null, task_id: null, depends_on: ['a'], message: 'Sure?' },
      ],
    })
    expect((await world.editor.call(listJobTemplates, { query: { q: 'never_saved' } })).total).toBe(0)
  })

  test('says of text with errors what is wrong where, and still shows the nodes that could be read', async () => {
    const result = await validate(templateYaml('x', { a: node(task), b: node('no_such_task', ', depends_on: [a]') }))
    expect(result.valid).toBe(false)
    expect(result.diagnostics.some(({ line, severity }) => line === 11 && severity === 'error')).toBe(true)
    expect(result.nodes.map(({ key, task_id }) => [key, task_id === null])).toEqual([
      ['a', false],
      ['b', true],
    ])
  })

  test.each(['', 'null', '[]', '{', 'tasks: {__proto__: {task: a}}', '\u0000', '💥'.repeat(1000)])(
    'whatever the text, it is an answer: %j',
    async (text) => expect((await validate(text)).valid).toBe(false),
  )

  test('the JSON Schema for editors names the language', async () => {
    const { body } = await world.editor.get('/api/schemas/job-template.json')
    expect(body).toMatchObject({ type: 'object', properties: { tasks: expect.any(Object) as unknown } })
  })
})
