import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JobDetail, getJobSnapshot } from '../../../src/contract/jobs.ts'
import { type JobWorld, createJobWorld, node, taskYaml, templateYaml } from './job-world.ts'

let world: JobWorld
beforeAll(async () => {
  world = await createJobWorld()
})
afterAll(() => world.close())

/** A job of two tasks and a gate. */
async function twoTasks() {
  const task = await world.task()
  const nodes = {
    first: node(task.name),
    ask: '{gate: "Go on?", depends_on: [first]}',
    second: node(task.name, ', depends_on: [ask]'),
  }
  const job = await world.job(await world.template(templateYaml(world.newName('template'), nodes)))
  return { task, job }
}
const path = (id: number, key: string) => `/api/jobs/${id}/tasks/${encodeURIComponent(key)}/override`
const set = (id: number, key: string, yaml_content: string, headers: Record<string, string> = {}) =>
  world.editor.put(path(id, key), { yaml_content }, { headers })
const snapshotOf = (id: number) => world.editor.call(getJobSnapshot, { params: { id } })
const etagOf = async (id: number) => (await world.editor.get(`/api/jobs/${id}`)).headers.get('etag')!

describe('a task with YAML of the job’s own', () => {
  test('is said by the job, shown beside the pinned version, and taken away again', async () => {
    const { job, task } = await twoTasks()
    const mine = taskYaml('mine', '# only here 🚂\r\n')
    const answer = await set(job.id, 'second', mine)
    expect(answer).toMatchObject({ status: 200, body: { id: job.id, overridden_task_keys: ['second'] } })
    expect(answer.headers.get('etag')).toBe(await etagOf(job.id))
    const texts = async () =>
      (await snapshotOf(job.id)).tasks.map(({ task_key, yaml_content, override_yaml }) => [
        task_key,
        yaml_content,
        override_yaml,
      ])
    expect(await texts()).toEqual([
      ['first', task.yaml_content, null],
      ['second', task.yaml_content, mine],
    ])
    const { jobs } = world.server.services
    const { overrides } = jobs.forRun(job.id)
    expect(Object.keys(overrides)).toEqual(['second'])
    expect(jobs.overrideText(overrides['second']!)).toBe(mine)
    expect(jobs.keepOverrideText(mine)).toBe(overrides['second'])
    expect(jobs.overrideText('none')).toBeUndefined()
    expect((await world.editor.delete(path(job.id, 'second'))).body).toMatchObject({ overridden_task_keys: [] })
    expect((await texts())[1]).toEqual(['second', task.yaml_content, null])
    // A job run that was started with it still finds its text.
    expect(jobs.overrideText(overrides['second']!)).toBe(mine)
    expect((await world.editor.delete(path(job.id, 'second'))).status).toBe(404)
  })

  test('the same text again changes nothing, another one takes its place', async () => {
    const { job } = await twoTasks()
    await set(job.id, 'first', taskYaml('one'))
    const etag = await etagOf(job.id)
    expect((await set(job.id, 'first', taskYaml('one'))).headers.get('etag')).toBe(etag)
    expect((await set(job.id, 'first', taskYaml('two'))).headers.get('etag')).not.toBe(etag)
    expect((await snapshotOf(job.id)).tasks[0]!.override_yaml).toBe(taskYaml('two'))
  })

  test('a stale ETag is refused, also one made stale by another override', async () => {
    const { job } = await twoTasks()
    const headers = { 'if-match': await etagOf(job.id) }
    const answers = await Promise.all(['first', 'second'].map((key) => set(job.id, key, taskYaml('mine'), headers)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test.each<[string, (yaml: string) => string, object]>([
    [
      'its own errors',
      (yaml) => yaml.replace('kind: pipeline', 'kind: pipe'),
      { path: 'body.yaml_content.kind', line: 2, column: 7 },
    ],
    [
      'a slot that nothing is bound to',
      (yaml) => yaml.replaceAll('src', 'inn'),
      { path: 'body.yaml_content.connectors.inn', line: 5, column: 3 },
    ],
    [
      'a slot of another type',
      (yaml) => yaml.replace('src: {type: file}', 'src: {type: sftp}'),
      { path: 'body.yaml_content.connectors.src', line: 5, column: 3 },
    ],
    [
      'an argument that is not given',
      (yaml) =>
        yaml
          .replace('source:', '  more: {type: string, required: true}\nsource:')
          .replace('.csv', '${{ args.more }}.csv'),
      { path: 'body.yaml_content.args.more', line: 9, column: 3 },
    ],
  ])('is refused for %s, at its line and column', async (_what, edit, detail) => {
    const { job } = await twoTasks()
    const answer = await set(job.id, 'first', edit(taskYaml('mine')))
    expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    expect((answer.body as { details: object[] }).details).toContainEqual(expect.objectContaining(detail))
    expect(await world.editor.get(`/api/jobs/${job.id}`)).toMatchObject({ body: { overridden_task_keys: [] } })
  })

  test('is refused for a gate, a task and a job that there is not, whatever the key', async () => {
    const { job } = await twoTasks()
    expect(await set(job.id, 'ask', taskYaml('mine'))).toMatchObject({
      status: 400,
      body: { details: [{ message: expect.stringContaining('gate') as unknown }] },
    })
    for (const key of ['third', 'constructor', '__proto__', 'a/b', '%']) {
      expect([key, (await set(job.id, key, taskYaml('mine'))).status]).toEqual([key, 404])
    }
    expect((await set(999_999, 'first', taskYaml('mine'))).status).toBe(404)
    expect((await world.editor.delete(path(999_999, 'first'))).status).toBe(404)
  })

  test('narrows what may be bound: the connector must fit what the job really runs', async () => {
    const { job } = await twoTasks()
    const bucket = await world.connector('s3', { region: 'eu', bucket: 'bucket' })
    await set(job.id, 'second', taskYaml('mine').replace('out: {types: [file, s3]', 'out: {types: [file]'))
    const bind = () =>
      world.editor.put(`/api/jobs/${job.id}`, { connector_mapping: { lake: world.lake, store: bucket } })
    expect(await bind()).toMatchObject({ status: 400, body: { details: [{ path: 'body.connector_mapping.store' }] } })
    await world.editor.delete(path(job.id, 'second'))
    expect((await bind()).status).toBe(200)
    expect((await set(job.id, 'second', taskYaml('mine').replace('[file, s3]', '[file]'))).status).toBe(400)
  })

  test('can be checked for a job run, with the bindings and at the place that it has', async () => {
    const { job } = await twoTasks()
    const { jobs } = world.server.services
    const { snapshot_id, connector_mapping } = jobs.forRun(job.id)
    jobs.checkOverride(snapshot_id, connector_mapping, 'first', taskYaml('mine'))
    const refusal = (key: string, yaml: string) => {
      try {
        jobs.checkOverride(snapshot_id, connector_mapping, key, yaml, `body.overrides.${key}`)
      } catch (error) {
        return error
      }
      return undefined
    }
    expect(refusal('first', 'etl: 2')).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.arrayContaining([
        expect.objectContaining({ path: 'body.overrides.first.etl', line: 1 }),
      ]) as unknown,
    })
    expect(refusal('none', taskYaml('mine'))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.overrides.none' }],
    })
  })

  test('keys that are names of every object are keys like others', async () => {
    const task = await world.task()
    const nodes = {
      constructor: node(task.name),
      toString: '{gate: "Go on?", depends_on: [constructor]}',
      valueOf: node(task.name, ', depends_on: [toString]'),
    }
    const job = await world.job(await world.template(templateYaml(world.newName('template'), nodes)))
    const texts = async () => (await snapshotOf(job.id)).tasks.map((held) => [held.task_key, held.override_yaml])
    const { jobs } = world.server.services
    expect(jobs.heldSnapshot(jobs.forRun(job.id).snapshot_id).tasks['toString']).toBeUndefined()
    expect(jobs.forRun(job.id).overrides['constructor']).toBeUndefined()
    expect(await texts()).toEqual([
      ['constructor', null],
      ['valueOf', null],
    ])
    expect((await set(job.id, 'constructor', taskYaml('mine'))).status).toBe(200)
    expect((await set(job.id, 'toString', taskYaml('mine'))).status).toBe(400)
    expect((await texts())[0]).toEqual(['constructor', taskYaml('mine')])
    const upgraded = await world.editor.post(`/api/jobs/${job.id}/upgrade`, {})
    expect(upgraded).toMatchObject({
      status: 200,
      body: { changed: false, overrides: [{ task_key: 'constructor', fits: true }] },
    })
  })

  test('every change is told once', async () => {
    const { job } = await twoTasks()
    const { events } = world.server.platform
    const since = events.latestId()
    await set(job.id, 'first', taskYaml('mine'))
    await set(job.id, 'first', taskYaml('mine'))
    await world.editor.delete(path(job.id, 'first'))
    expect(events.after(since, 10).map(({ type, entity_id }) => [type, entity_id])).toEqual([
      ['job.changed', job.id],
      ['job.changed', job.id],
    ])
  })
})

test('the texts of a job of many tasks fit into one answer', async () => {
  const task = await world.task()
  const nodes = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`t${n}`, node(task.name)]))
  const job = await world.job(await world.template(templateYaml(world.newName('template'), nodes)))
  const long = taskYaml('mine', `# ${'x'.repeat(100_000)}\n`)
  for (let n = 0; n < 40; n++) expect((await set(job.id, `t${n}`, long)).status).toBe(200)
  const { body } = await world.editor.get(`/api/jobs/${job.id}`)
  expect((body as JobDetail).overridden_task_keys).toHaveLength(40)
  // Kept once, as it is one text.
  const kept = world.server.platform.store.sqlite
    .prepare('SELECT count(*) AS n FROM override_texts WHERE length(yaml_content) > 100000')
    .get()
  expect(kept).toEqual({ n: 1 })
})
