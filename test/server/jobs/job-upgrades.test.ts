import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { type JobUpgrade, getJob, getJobSnapshot } from '../../../src/contract/jobs.ts'
import type { JobTemplateDetail } from '../../../src/contract/job-templates.ts'
import { type JobWorld, createJobWorld, node, taskYaml, templateYaml } from './job-world.ts'

let world: JobWorld
beforeAll(async () => {
  world = await createJobWorld()
})
afterAll(() => world.close())

const upgrade = async (id: number, body?: object, headers: Record<string, string> = {}) => {
  const answer = await world.editor.post(`/api/jobs/${id}/upgrade`, body, { headers })
  return { status: answer.status, body: answer.body as JobUpgrade & { details: { path: string }[]; error: string } }
}
const save = (template: JobTemplateDetail, yaml_content: string) =>
  world.editor.put(`/api/job-templates/${template.id}`, { yaml_content })
const snapshotOf = (id: number) => world.editor.call(getJobSnapshot, { params: { id } })
const jobOf = (id: number) => world.editor.call(getJob, { params: { id } })

describe('upgrading a job', () => {
  test('a dry run shows template, tasks and what becomes of the job’s own YAML, and writes nothing', async () => {
    const [a, b, c] = [await world.task(), await world.task(), await world.task()]
    const name = world.newName('template')
    const before = templateYaml(name, { one: node(a.name), two: node(b.name), three: node(c.name) })
    const template = await world.template(before)
    const job = await world.job(template)
    for (const key of ['one', 'three']) {
      await world.editor.put(`/api/jobs/${job.id}/tasks/${key}/override`, { yaml_content: taskYaml('mine') })
    }
    await world.edit(b, '# newer\n')
    const after = templateYaml(name, {
      one: node(a.name),
      two: node(b.name),
      four: node(c.name, ', depends_on: [one]'),
    })
    await save(template, after)
    const [held, snapshot] = [await jobOf(job.id), await snapshotOf(job.id)]
    const { status, body } = await upgrade(job.id, { dry_run: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      dry_run: true,
      changed: true,
      template: { from_version: 1, to_version: 2, before, after },
      overrides: [
        { task_key: 'one', fits: true, diagnostics: [] },
        { task_key: 'three', fits: false, diagnostics: [] },
      ],
      problems: [],
    })
    expect(
      body.tasks.map(({ task_key, change, from_version, to_version }) => [task_key, change, from_version, to_version]),
    ).toEqual([
      ['one', 'unchanged', 1, 1],
      ['two', 'changed', 1, 2],
      ['four', 'added', null, 1],
      ['three', 'removed', 1, null],
    ])
    expect(body.tasks[1]).toMatchObject({ before: b.yaml_content, after: taskYaml(b.name, '# newer\n') })
    expect([await jobOf(job.id), await snapshotOf(job.id)]).toEqual([held, snapshot])

    const done = await upgrade(job.id)
    expect(done).toMatchObject({ status: 200, body: { ...body, dry_run: false } })
    expect(await jobOf(job.id)).toMatchObject({ template_version: 2, overridden_task_keys: ['one'] })
    const next = await snapshotOf(job.id)
    expect(next.id).not.toBe(snapshot.id)
    expect(next.tasks.map(({ task_key, version }) => [task_key, version])).toEqual([
      ['one', 1],
      ['two', 2],
      ['four', 1],
    ])
    // What job runs stand on that were started before.
    expect(world.server.services.jobs.heldSnapshot(snapshot.id)).toMatchObject({
      yaml_content: before,
      template_version: 1,
    })
  })

  test('of a job that holds the newest already changes nothing', async () => {
    const task = await world.task()
    const job = await world.job(await world.template(templateYaml(world.newName('template'), { a: node(task.name) })))
    const [held, snapshot] = [await jobOf(job.id), await snapshotOf(job.id)]
    expect(await upgrade(job.id)).toMatchObject({ status: 200, body: { changed: false, problems: [] } })
    expect([await jobOf(job.id), await snapshotOf(job.id)]).toEqual([held, snapshot])
  })

  test('names what is to be bound and given; with that it is done, and what nothing asks for any more goes', async () => {
    const task = await world.task()
    const name = world.newName('template')
    const template = await world.template(templateYaml(name, { a: node(task.name) }))
    const job = await world.job(template, { parameters: { day: '2026-01-01' } })
    const yaml = `etl: 1
kind: job
name: ${name}
parameters:
  date: {type: date, required: true}
connectors:
  lake: {type: file}
  out: {types: [file, s3], access: write}
tasks:
  a: {task: ${task.name}, connectors: {src: lake, out: out}, args: {day: "\${{ parameters.date }}"}}
`
    expect((await save(template, yaml)).status).toBe(200)
    const problems = ['body.connector_mapping.out', 'body.parameters.date']
    const dry = await upgrade(job.id, { dry_run: true })
    expect(dry.body.problems.map(({ path }) => path)).toEqual(problems)
    const refused = await upgrade(job.id)
    expect(refused).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    expect(refused.body.details.map(({ path }) => path)).toEqual(['request', ...problems])
    expect(await jobOf(job.id)).toEqual({ ...job, newest_template_version: 2 })
    const given = { connector_mapping: { out: world.store }, parameters: { date: '2026-03-01' } }
    expect(
      (await upgrade(job.id, { ...given, connector_mapping: { nowhere: 1, ...given.connector_mapping } })).status,
    ).toBe(400)
    expect((await upgrade(job.id, given)).status).toBe(200)
    const upgraded = await jobOf(job.id)
    expect(JSON.parse(upgraded.connector_mapping)).toEqual({ lake: world.lake, out: world.store })
    expect(JSON.parse(upgraded.parameters)).toEqual({ date: '2026-03-01' })
  })

  test('is kept from losing or breaking the job’s own YAML of a task that remains', async () => {
    const [a, b] = [await world.task(), await world.task()]
    const name = world.newName('template')
    const template = await world.template(templateYaml(name, { one: node(a.name) }))
    const job = await world.job(template)
    const mine = taskYaml('mine')
    await world.editor.put(`/api/jobs/${job.id}/tasks/one/override`, { yaml_content: mine })
    await world.editor.put(`/api/tasks/${b.id}`, {
      yaml_content: b.yaml_content
        .replaceAll('src', 'source_files')
        .replace('source_files: {connector', 'source: {connector'),
    })
    await save(template, templateYaml(name, { one: node(b.name).replace('src:', 'source_files:') }))
    const { body } = await upgrade(job.id, { dry_run: true })
    expect(body.overrides).toMatchObject([{ task_key: 'one', fits: false }])
    expect(body.overrides[0]!.diagnostics.map(({ path, line }) => [path, line])).toContainEqual(['connectors.src', 5])
    expect(body.problems).toMatchObject([{ path: 'overrides.one' }])
    expect((await upgrade(job.id)).status).toBe(400)
    expect((await snapshotOf(job.id)).tasks[0]).toMatchObject({ override_yaml: mine })
    await world.editor.delete(`/api/jobs/${job.id}/tasks/one/override`)
    expect((await upgrade(job.id)).status).toBe(200)
  })

  test('says what is wrong with a template whose task was archived, and refuses an archived template', async () => {
    const task = await world.task()
    const template = await world.template(templateYaml(world.newName('template'), { a: node(task.name) }))
    const job = await world.job(template)
    await world.editor.patch(`/api/tasks/${task.id}/archive`)
    const { body } = await upgrade(job.id, { dry_run: true })
    expect(body.problems).toMatchObject([{ path: 'template.tasks.a.task' }])
    expect((await upgrade(job.id)).status).toBe(400)
    await world.editor.patch(`/api/job-templates/${template.id}/archive`)
    expect(await upgrade(job.id)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    expect((await upgrade(999_999)).status).toBe(404)
  })

  test('of two at once with the same ETag one gets through', async () => {
    const task = await world.task()
    const name = world.newName('template')
    const template = await world.template(templateYaml(name, { a: node(task.name) }))
    const job = await world.job(template)
    await save(template, templateYaml(name, { a: node(task.name), b: node(task.name) }))
    const headers = { 'if-match': (await world.editor.get(`/api/jobs/${job.id}`)).headers.get('etag')! }
    const answers = await Promise.all([1, 2].map(() => upgrade(job.id, {}, headers)))
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409])
  })
})

/** Steps of people who work on tasks, templates and a job at the same time. */
type Move =
  | { do: 'task'; index: number }
  | { do: 'template'; keys: number[] }
  | { do: 'override'; key: number }
  | { do: 'remove'; key: number }
  | { do: 'upgrade' }
  | { do: 'rename' }

const index = fc.nat({ max: 3 })
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constant('task' as const), index }),
  fc.record({ do: fc.constant('template' as const), keys: fc.uniqueArray(index, { minLength: 1 }) }),
  fc.record({ do: fc.constant('override' as const), key: index }),
  fc.record({ do: fc.constant('remove' as const), key: index }),
  fc.record({ do: fc.constant('upgrade' as const) }),
  fc.record({ do: fc.constant('rename' as const) }),
)

test('whatever is edited in whatever order, a snapshot that there is never changes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 15 }), async (moves) => {
      const tasks = [await world.task(), await world.task(), await world.task(), await world.task()]
      const name = world.newName('template')
      const nodes = (keys: number[]) => Object.fromEntries(keys.map((key) => [`t${key}`, node(tasks[key]!.name)]))
      const template = await world.template(templateYaml(name, nodes([0, 1])))
      const { id } = await world.job(template)
      const { jobs } = world.server.services
      const seen = new Map<number, string>()
      /** Does it, and gives the status of the answer: only a task that the job does not have may be missing. */
      async function act(next: Move, more: string): Promise<number> {
        const override = (key: number) => `/api/jobs/${id}/tasks/t${key}/override`
        switch (next.do) {
          case 'task':
            return world.edit(tasks[next.index]!, more).then(() => 200)
          case 'template':
            return (await save(template, templateYaml(name, nodes(next.keys), more))).status
          case 'override':
            return (await world.editor.put(override(next.key), { yaml_content: taskYaml('mine', more) })).status
          case 'remove':
            return (await world.editor.delete(override(next.key))).status
          case 'rename':
            return (await world.editor.put(`/api/jobs/${id}`, { name: world.newName('job') })).status
          case 'upgrade':
            return (await upgrade(id)).status
        }
      }
      // As it stands on the disk, not as it is remembered.
      const stored = (snapshotId: number) =>
        JSON.stringify(
          world.server.platform.store.sqlite.prepare('SELECT * FROM job_snapshots WHERE id = ?').get(snapshotId),
        )
      const versions = (snapshotId: number) =>
        Object.values(jobs.heldSnapshot(snapshotId).tasks).map(({ task_id, version }) =>
          world.server.platform.store.sqlite
            .prepare('SELECT yaml_content FROM task_versions WHERE task_id = ? AND version = ?')
            .get(task_id, version),
        )
      const everything = (snapshotId: number) => stored(snapshotId) + JSON.stringify(versions(snapshotId))
      for (const [step, next] of moves.entries()) {
        const current = jobs.forRun(id).snapshot_id
        if (!seen.has(current)) seen.set(current, everything(current))
        expect([200, 404]).toContain(await act(next, `# step ${step}\n`))
        for (const [snapshotId, before] of seen) expect(everything(snapshotId)).toBe(before)
        // What the job says of itself is true: its own YAML is of tasks that it has.
        const { tasks: held } = jobs.heldSnapshot(jobs.forRun(id).snapshot_id)
        for (const key of Object.keys(jobs.forRun(id).overrides)) expect(held).toHaveProperty(key)
      }
    }),
    { numRuns: 15 },
  )
})
