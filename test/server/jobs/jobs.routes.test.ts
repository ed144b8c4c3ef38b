import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import { type Job, type JobDetail, getJob, getJobSnapshot, listJobs } from '../../../src/contract/jobs.ts'
import { type JobWorld, createJobWorld, node, taskYaml, templateYaml } from './job-world.ts'

let world: JobWorld
beforeAll(async () => {
  world = await createJobWorld()
})
afterAll(() => world.close())

const mapping = () => ({ lake: world.lake, store: world.store })
/** A template of one task. */
async function simple(more = '') {
  const task = await world.task()
  return {
    task,
    template: await world.template(templateYaml(world.newName('template'), { load: node(task.name) }, more)),
  }
}
const jobOf = (id: number) => world.editor.call(getJob, { params: { id } })
const snapshotOf = (id: number) => world.editor.call(getJobSnapshot, { params: { id } })
const put = (id: number, body: object, headers: Record<string, string> = {}) =>
  world.editor.put(`/api/jobs/${id}`, body, { headers })
const countJobs = async () => (await world.editor.call(listJobs, { query: { limit: 1 } })).total

describe('making a job', () => {
  test('binds connectors, keeps parameters and pins the versions that tasks have now', async () => {
    const [first, second] = [await world.task(), await world.task()]
    await world.edit(second, '# two\n')
    const nodes = { a: node(first.name), b: node(second.name, ', version: 1, depends_on: [a]'), c: node(second.name) }
    const template = await world.template(templateYaml(world.newName('template'), nodes))
    const name = `  ${world.newName('Nächtlich 🚂 "%_')} `
    const answer = await world.post(template.id, {
      name,
      description: 'Every night',
      connector_mapping: mapping(),
      parameters: { day: '2026-02-28' },
    })
    expect(answer.status).toBe(201)
    const job = answer.body as JobDetail
    expect(job).toMatchObject({
      name: name.trim(),
      description: 'Every night',
      status: 'active',
      job_template_id: template.id,
      job_template_name: template.name,
      template_version: 1,
      newest_template_version: 1,
      overridden_task_keys: [],
      last_run_id: null,
      next_fire_at: null,
    })
    expect(JSON.parse(job.connector_mapping)).toEqual(mapping())
    expect(JSON.parse(job.parameters)).toEqual({ day: '2026-02-28' })
    expect(await jobOf(job.id)).toEqual(job)
    expect(answer.headers.get('etag')).toBe((await world.editor.get(`/api/jobs/${job.id}`)).headers.get('etag'))
    const snapshot = await snapshotOf(job.id)
    expect(snapshot).toMatchObject({
      job_id: job.id,
      job_template_id: template.id,
      template_version: 1,
      yaml_content: template.yaml_content,
      connector_refs: { lake: { types: ['file'] } },
      parameters: { day: { type: 'date' } },
      dashboard_templates: [],
    })
    expect(snapshot.nodes.map(({ key, task_id, version }) => [key, task_id, version])).toEqual([
      ['a', first.id, null],
      ['b', second.id, 1],
      ['c', second.id, null],
    ])
    const pinned = snapshot.tasks.map(({ task_key, version, newest_version, yaml_content }) => [
      task_key,
      version,
      newest_version,
      yaml_content,
    ])
    expect(pinned).toEqual([
      ['a', 1, 1, first.yaml_content],
      ['b', 1, 2, second.yaml_content],
      ['c', 2, 2, taskYaml(second.name, '# two\n')],
    ])
    expect((await world.editor.get(`/api/job-templates/${template.id}`)).body).toMatchObject({ job_count: 1 })
  })

  test('may take an earlier version of the template', async () => {
    const { template, task } = await simple()
    const yaml_content = templateYaml(template.name, { load: node(task.name), again: node(task.name) })
    await world.editor.put(`/api/job-templates/${template.id}`, { yaml_content })
    const job = await world.job(template, { template_version: 1 })
    expect(job).toMatchObject({ template_version: 1, newest_template_version: 2 })
    expect((await snapshotOf(job.id)).tasks).toHaveLength(1)
    expect(await world.post(template.id, { name: 'x', template_version: 3 })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.template_version' }] },
    })
  })

  test('names every connector that is missing, unfit, archived, unknown or too many, and leaves nothing behind', async () => {
    const { template } = await simple('')
    const before = await countJobs()
    const refused = async (connector_mapping: Record<string, number>, expected: [string, RegExp][]) => {
      const answer = await world.post(template.id, { name: world.newName('job'), connector_mapping })
      expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
      const { details } = answer.body as { details: { path: string; message: string }[] }
      expect(details.map(({ path }) => path)).toEqual(expected.map(([slot]) => `body.connector_mapping.${slot}`))
      for (const [index, [, message]] of expected.entries()) expect(details[index]!.message).toMatch(message)
    }
    await refused({}, [
      ['lake', /has no connector/],
      ['store', /has no connector/],
    ])
    const sqlite = await world.connector('sqlite', { path: '/tmp/x.db' })
    await refused({ ...mapping(), lake: sqlite }, [['lake', /needs a file connector/]])
    await refused({ ...mapping(), lake: 999_999 }, [['lake', /no connector with id 999999/]])
    await refused({ ...mapping(), other: world.lake }, [['other', /The job template has no slot other/]])
    const old = await world.connector('file', { root: '/tmp/old' })
    await world.server.as('admin').patch(`/api/connectors/${old}/archive`)
    await refused({ ...mapping(), store: old }, [['store', /is archived/]])
    // The slot of the template says s3, too; its task writes a file, which both take.
    const bucket = await world.connector('s3', { region: 'eu', bucket: 'bucket' })
    expect(
      (
        await world.post(template.id, {
          name: world.newName('job'),
          connector_mapping: { ...mapping(), store: bucket },
        })
      ).status,
    ).toBe(201)
    expect(await countJobs()).toBe(before + 1)
  })

  test('refuses a connector that is read-only where a task writes', async () => {
    const text = (name: string) => `etl: 1
kind: sql
name: ${name}
connectors: {db: {type: sqlite, access: write}}
sql: {connector: db, statements: ["DELETE FROM t"]}
`
    const name = world.newName('task')
    await world.editor.post('/api/tasks', { yaml_content: text(name) })
    const template = await world.template(
      `etl: 1\nkind: job\nname: ${world.newName('t')}\nconnectors: {app: {type: sqlite, access: write}}\ntasks: {a: {task: ${name}, connectors: {db: app}}}\n`,
    )
    const app = await world.connector('sqlite', { path: '/tmp/x.db', read_only: true })
    expect(await world.post(template.id, { name: world.newName('job'), connector_mapping: { app } })).toMatchObject({
      status: 400,
      body: {
        details: [{ path: 'body.connector_mapping.app', message: expect.stringContaining('read-only') as unknown }],
      },
    })
  })

  test('checks parameters against the template; one left empty is left out, a required one must be given', async () => {
    const { task } = await simple()
    const text = templateYaml(world.newName('template'), { load: node(task.name) }).replace(
      'connectors:',
      '  least: {type: integer, required: true, min: 1}\n  note: {type: string}\nconnectors:',
    )
    const template = await world.template(text.replace('day: "${{ parameters.day }}"', 'day: "${{ parameters.day }}"'))
    const make = (parameters?: object) =>
      world.post(template.id, { name: world.newName('job'), connector_mapping: mapping(), parameters })
    const paths = async (parameters?: object) =>
      ((await make(parameters)).body as { details: { path: string }[] }).details.map(({ path }) => path)
    expect(await paths()).toEqual(['body.parameters.least'])
    expect(await paths({ least: 0, day: 'tomorrow', other: 1 })).toEqual(
      expect.arrayContaining(['body.parameters.least', 'body.parameters.day', 'body.parameters.other']),
    )
    expect(await paths({ least: null })).toEqual(['body.parameters.least'])
    const job = (await make({ least: 2, note: null })).body as JobDetail
    expect(JSON.parse(job.parameters)).toEqual({ least: 2 })
  })

  test('of four that take the same name at once one wins; the name of an archived job stays taken', async () => {
    const { template } = await simple()
    const name = world.newName('job')
    const body = { name, connector_mapping: mapping() }
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.post(template.id, body)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    const { id } = answers.find(({ status }) => status === 201)!.body as Job
    await world.editor.patch(`/api/jobs/${id}/archive`)
    expect(await world.post(template.id, { ...body, name: ` ${name} ` })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('archived') as unknown },
    })
  })

  test.each(['', '   ', 'a\nb', 'a\u0000', 'x'.repeat(201)])('%j is no name', async (name) => {
    const { template } = await simple()
    expect(await world.post(template.id, { name, connector_mapping: mapping() })).toMatchObject({ status: 400 })
  })

  test('under one Idempotency-Key is done once', async () => {
    const { template } = await simple()
    const body = { name: world.newName('job'), connector_mapping: mapping() }
    const headers = { 'idempotency-key': world.newName('key') }
    const [first, second] = [await world.post(template.id, body, headers), await world.post(template.id, body, headers)]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  })

  test('is refused for an archived template, for a task that was archived since, and for no template', async () => {
    const { template, task } = await simple()
    const body = { name: world.newName('job'), connector_mapping: mapping() }
    await world.editor.patch(`/api/job-templates/${template.id}/archive`)
    expect(await world.post(template.id, body)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    await world.editor.patch(`/api/job-templates/${template.id}/restore`)
    await world.editor.patch(`/api/tasks/${task.id}/archive`)
    expect(await world.post(template.id, body)).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        details: [{ path: 'request' }, { path: 'template.tasks.load.task', line: 10 }],
      },
    })
    await world.editor.patch(`/api/tasks/${task.id}/restore`)
    expect((await world.post(template.id, body)).status).toBe(201)
    expect((await world.post(999_999, body)).status).toBe(404)
  })
})

describe('what a job holds', () => {
  test('stays whatever becomes of its template and tasks', async () => {
    const { template, task } = await simple()
    const job = await world.job(template)
    const { newest_version: _, ...held } = (await snapshotOf(job.id)).tasks[0]!
    await world.edit(task, 'description: Other\n')
    await world.editor.put(`/api/tasks/${task.id}`, { yaml_content: taskYaml(`${task.name}_renamed`) })
    await world.editor.patch(`/api/tasks/${task.id}/archive`)
    await world.editor.patch(`/api/job-templates/${template.id}/archive`)
    const snapshot = await snapshotOf(job.id)
    expect(snapshot.yaml_content).toBe(template.yaml_content)
    expect(snapshot.tasks).toEqual([{ ...held, newest_version: 3 }])
    expect(held).toMatchObject({ task_name: task.name, version: 1, yaml_content: task.yaml_content })
    const { jobs } = world.server.services
    const { snapshot_id } = jobs.forRun(job.id)
    expect(jobs.heldSnapshot(snapshot_id)).toMatchObject({
      job_id: job.id,
      yaml_content: template.yaml_content,
      tasks: { load: { task_id: task.id, task_name: task.name, version: 1 } },
    })
    expect(jobs.heldSnapshot(snapshot_id)).toBe(jobs.heldSnapshot(snapshot_id))
    expect(() => jobs.heldSnapshot(999_999)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
    expect(() => jobs.forRun(999_999)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })

  test('may be five hundred tasks', async () => {
    const task = await world.task()
    const nodes: Record<string, string> = {}
    for (let n = 0; n < 500; n++) nodes[`t${n}`] = node(task.name, n === 0 ? '' : `, depends_on: [t${n - 1}]`)
    const template = await world.template(templateYaml(world.newName('wide'), nodes))
    expect(template.task_count).toBe(500)
    const job = await world.job(template)
    const snapshot = await snapshotOf(job.id)
    expect([snapshot.tasks.length, snapshot.nodes.length]).toEqual([500, 500])
    expect(snapshot.tasks[499]).toMatchObject({ task_key: 't499', version: 1 })
  })
})

describe('changing a job', () => {
  test('changes what is given, and makes nothing new when it is the same', async () => {
    const { template } = await simple()
    const job = await world.job(template, { parameters: { day: '2026-01-01' }, description: 'Old' })
    const name = world.newName('renamed')
    expect((await put(job.id, { name })).body).toMatchObject({ name, description: 'Old', parameters: job.parameters })
    expect((await put(job.id, { description: null, parameters: {} })).body).toMatchObject({
      name,
      description: null,
      parameters: '{}',
      connector_mapping: job.connector_mapping,
    })
    const before = await world.editor.get(`/api/jobs/${job.id}`)
    const same = await put(job.id, { name, connector_mapping: mapping(), parameters: {} })
    expect(same).toMatchObject({ status: 200, body: before.body })
    expect(same.headers.get('etag')).toBe(before.headers.get('etag'))
  })

  test('is refused where making it would be, and then changes nothing', async () => {
    const { template } = await simple()
    const [job, other] = [await world.job(template), await world.job(template)]
    for (const body of [
      { name: other.name },
      { name: ' ' },
      { connector_mapping: { lake: world.lake } },
      { connector_mapping: { ...mapping(), more: 1 } },
      { parameters: { day: 'never' } },
      { parameters: { unknown: 1 }, name: world.newName('job') },
    ]) {
      expect([400, 409]).toContain((await put(job.id, body)).status)
    }
    expect(await jobOf(job.id)).toEqual(job)
    expect((await put(999_999, {})).status).toBe(404)
  })

  test('a connector that was archived since keeps nobody from changing a parameter', async () => {
    const { template } = await simple()
    const old = await world.connector('file', { root: '/tmp/old' })
    const job = await world.job(template, { connector_mapping: { lake: old, store: world.store } })
    await world.server.as('admin').patch(`/api/connectors/${old}/archive`)
    expect((await put(job.id, { parameters: { day: '2026-01-01' } })).status).toBe(200)
    expect((await put(job.id, { connector_mapping: { lake: old, store: world.lake } })).status).toBe(400)
  })

  test('a stale ETag is refused; what runs and triggers tell makes none stale', async () => {
    const { template } = await simple()
    const job = await world.job(template)
    const { jobs } = world.server.services
    const etag = (await world.editor.get(`/api/jobs/${job.id}`)).headers.get('etag')!
    const at = '2026-03-01T08:30:00.000Z'
    jobs.noteRun(job.id, { id: 7, status: 'running', at })
    jobs.noteNextFire(job.id, at)
    expect((await put(job.id, { description: 'a' }, { 'if-match': etag })).body).toMatchObject({
      // There is no such job run: how it went is told, where it was is not.
      last_run_id: null,
      last_run_status: 'running',
      last_run_at: at,
      next_fire_at: at,
    })
    expect((await put(job.id, { description: 'b' }, { 'if-match': etag })).status).toBe(409)
    // An older job run that ends later does not hide the newest.
    jobs.noteRun(job.id, { id: 6, status: 'failed', at })
    expect(await jobOf(job.id)).toMatchObject({ last_run_status: 'running', description: 'a' })
    jobs.noteRun(job.id, { id: 7, status: 'completed', at })
    jobs.noteNextFire(job.id, null)
    expect(await jobOf(job.id)).toMatchObject({ last_run_status: 'completed', next_fire_at: null })
  })
})

describe('the archive of jobs', () => {
  test('tells its listeners within the transaction, once each way', async () => {
    const { template } = await simple()
    const job = await world.job(template)
    const heard: [number, boolean][] = []
    const { jobs } = world.server.services
    let fail = false
    jobs.onArchived((id, archived) => {
      if (fail) throw new Error('A listener refused')
      if (id === job.id) heard.push([id, archived])
    })
    for (const way of ['archive', 'archive', 'restore', 'restore']) {
      expect((await world.editor.patch(`/api/jobs/${job.id}/${way}`)).body).toEqual({ success: true })
    }
    expect(heard).toEqual([
      [job.id, true],
      [job.id, false],
    ])
    fail = true
    expect((await world.editor.patch(`/api/jobs/${job.id}/archive`)).status).toBe(500)
    expect(await jobOf(job.id)).toMatchObject({ status: 'active' })
    fail = false
    expect((await world.editor.patch('/api/jobs/999999/archive')).status).toBe(404)
  })

  test('counts active jobs in the template', async () => {
    const { template } = await simple()
    const jobs = [await world.job(template), await world.job(template)]
    await world.editor.patch(`/api/jobs/${jobs[0]!.id}/archive`)
    expect((await world.editor.get(`/api/job-templates/${template.id}`)).body).toMatchObject({ job_count: 1 })
  })
})

describe('lists of jobs', () => {
  const page = async (path: string, query: Record<string, string | number>) =>
    (await world.editor.get(path, { query })).body as Paginated<Job>
  const namesOf = ({ result }: Paginated<Job>) => result.map(({ name }) => name)

  test('are narrowed by template, status and search, sorted and paged both ways', async () => {
    const { template } = await simple()
    const tag = world.newName('LIST')
    const names = ['delta', 'alpha', 'charlie', 'bravo', 'écho %_'].map((name) => `${tag} ${name}`)
    for (const name of names) await world.job(template, { name })
    const other = await world.job((await simple()).template)
    const path = `/api/job-templates/${template.id}/jobs`
    expect(namesOf(await page(path, {}))).toEqual(names.toReversed())
    const first = await page(path, { limit: 2 })
    const second = await page(path, { limit: 2, cursor: first.nextCursor! })
    expect([first.total, ...namesOf(second)]).toEqual([5, names[2], names[1]])
    expect(namesOf(await page(path, { limit: 2, cursor: second.prevCursor! }))).toEqual(namesOf(first))
    const all = (query: Record<string, string | number>) =>
      page('/api/jobs', { job_template_id: template.id, ...query })
    expect(namesOf(await all({ sort: 'name' }))).toEqual(names.toSorted())
    expect(namesOf(await all({ q: 'ÉCHO %_' }))).toEqual([names[4]])
    const { id } = first.result[0]!
    await world.editor.patch(`/api/jobs/${id}/archive`)
    expect(namesOf(await all({ status: 'archived' }))).toEqual([names[4]])
    expect((await all({ status: 'active' })).total).toBe(4)
    expect(namesOf(await page('/api/jobs', { q: other.name }))).toEqual([other.name])
    expect((await world.editor.get('/api/job-templates/999999/jobs')).status).toBe(404)
  })

  test('show the name of the template as it is now, and whether there is a newer version', async () => {
    const { template, task } = await simple()
    const { name } = await world.job(template)
    const renamed = world.newName('renamed')
    await world.editor.put(`/api/job-templates/${template.id}`, {
      yaml_content: templateYaml(renamed, { load: node(task.name) }),
    })
    const [found] = (await page('/api/jobs', { q: name })).result
    expect(found).toMatchObject({ job_template_name: renamed, template_version: 1, newest_template_version: 2 })
  })
})
