import { describe, expect, test } from 'vitest'
import type { TaskState } from '../../../src/contract/tasks.ts'
import { controlPlane, type ControlPlane } from '../runs/control-plane.ts'
import { at, fakeExecutor, failure } from '../runs/fake-executor.ts'

const incremental = `etl: 1
kind: pipeline
name: demo.incremental
connectors:
  out: {type: file, access: read_write}
state:
  cursor: {field: at, type: datetime, initial: "2026-01-01T00:00:00Z"}
source:
  connector: out
  files: {glob: in.csv}
target:
  connector: out
  file: {path: out.csv}
retries: {max: 2, delay: 0s}
`

async function begin() {
  const plane = await controlPlane({ yaml: incremental })
  const executor = await fakeExecutor(plane)
  const claimed = async (body = {}) => {
    await plane.trigger(body)
    const [plan] = (await executor.claim()).runs
    if (!plan) throw new Error('nothing was claimed')
    return plan
  }
  return { plane, executor, claimed }
}
const states = async (plane: ControlPlane) =>
  (await plane.editor.get(`/api/tasks/${plane.taskId}/states`)).body as TaskState[]

describe('the state of an incremental task', () => {
  test('saved with a completion, is given to the next run and listed', async () => {
    const { plane, executor, claimed } = await begin()
    const first = await claimed()
    expect(first.state).toBeNull()
    await executor.complete(first, { state: { cursor: '2026-03-01T10:00:00.123456' } })
    expect(await states(plane)).toMatchObject([
      {
        task_id: plane.taskId,
        slot: 'out',
        connector_id: plane.mapping.out,
        cursor: '2026-03-01T10:00:00.123456',
        files_taken: 0,
        run_id: first.run_id,
      },
    ])
    expect((await claimed()).state).toEqual({ cursor: '2026-03-01T10:00:00.123456' })
  })

  test('is saved once though the completion is told twice', async () => {
    const { plane, executor, claimed } = await begin()
    const plan = await claimed()
    await executor.complete(plan, { state: { cursor: 'a' } })
    const [before] = await states(plane)
    expect((await executor.complete(plan, { state: { cursor: 'z' } })).status).toBe(200)
    expect(await states(plane)).toEqual([before])
  })

  test('stays as it was when a run fails before its target has committed', async () => {
    const { plane, executor, claimed } = await begin()
    await executor.complete(await claimed(), { state: { cursor: 'a' } })
    await executor.complete(await claimed(), failure(false))
    expect(await states(plane)).toMatchObject([{ cursor: 'a' }])
  })

  test('is saved by a run that fails after its target has committed', async () => {
    const { plane, executor, claimed } = await begin()
    await executor.complete(await claimed(), { ...failure(false), state: { cursor: 'b' } })
    expect(await states(plane)).toMatchObject([{ cursor: 'b' }])
  })

  test('is saved as soon as the target has committed, though the executor is lost before the end', async () => {
    const { plane, executor, claimed } = await begin()
    const plan = await claimed()
    const { attempt, lease_token } = plan
    const body = {
      attempt,
      lease_token,
      state: 'committed',
      started_at: at,
      item_count: 5,
      source_state: { cursor: 'c' },
    }
    const tell = () => executor.client.post(`/api/executor/runs/${plan.run_id}/state`, body)
    expect([(await tell()).status, (await tell()).status]).toEqual([200, 200])
    plane.services.runs.attempts.giveUp({ run_id: plan.run_id, attempt: 1 }, 'executor_lost')
    expect(await plane.run(plan.run_id)).toMatchObject({ status: 'failed', item_count: 5, error_code: 'EXECUTOR_LOST' })
    expect(await states(plane)).toMatchObject([{ cursor: 'c', run_id: plan.run_id }])
  })

  test('of two runs at once is that of the first to end: the other must not set it back or forth', async () => {
    const { plane, executor, claimed } = await begin()
    const [one, other] = [await claimed(), await claimed()]
    await executor.complete(one, { state: { cursor: 'b' } })
    expect((await executor.complete(other, { state: { cursor: 'a' } })).status).toBe(200)
    expect(await states(plane)).toMatchObject([{ cursor: 'b', run_id: one.run_id }])
  })

  test('is not given to a full refresh, which saves it anew', async () => {
    const { plane, executor, claimed } = await begin()
    await executor.complete(await claimed(), { state: { cursor: 'x' } })
    const plan = await claimed({ full_refresh: true })
    expect(plan).toMatchObject({ state: null, full_refresh: true })
    expect(await plane.run(plan.run_id)).toMatchObject({ full_refresh: true })
    await executor.complete(plan, { state: { cursor: 'y' } })
    expect(await states(plane)).toMatchObject([{ cursor: 'y' }])
  })

  describe('after a run with an unknown outcome', () => {
    const permitted = { state: 'committing', source_state: { cursor: 'new' } }
    async function unknown(news: object = permitted) {
      const world = await begin()
      const { plane, executor, claimed } = world
      await executor.complete(await claimed(), { state: { cursor: 'old' } })
      const plan = await claimed()
      expect((await executor.state(plan, { ...permitted, ...news })).status).toBe(200)
      plane.services.runs.attempts.giveUp({ run_id: plan.run_id, attempt: 1 }, 'executor_lost')
      const [state] = await states(plane)
      const resolve = (committed: boolean, run_id = plan.run_id) =>
        plane.editor.post(`/api/tasks/${plane.taskId}/states/${state?.id}/resolve`, { run_id, committed })
      return { ...world, plan, resolve }
    }

    test('is given to no other run, scheduled or by hand, before somebody has said what became of the rows', async () => {
      const { plane, executor, plan, resolve } = await unknown()
      expect(await states(plane)).toMatchObject([
        { cursor: 'old', unresolved: [{ run_id: plan.run_id, cursor: 'new' }] },
      ])
      const blocked = [await plane.trigger(), await plane.trigger()]
      expect((await executor.claim({ wait_ms: 0 })).runs).toEqual([])
      for (const { id } of blocked)
        expect(await plane.run(id)).toMatchObject({
          status: 'failed',
          error_code: 'OUTCOME_UNRESOLVED',
          error_message: expect.stringContaining(`Run #${plan.run_id} may have written rows`),
        })
      expect((await resolve(true, plan.run_id + 9)).status).toBe(404)
    })

    test.each([
      [true, 'new'],
      [false, 'old'],
    ])('goes on from where the answer (%s) says', async (committed, cursor) => {
      const { plane, claimed, resolve } = await unknown()
      expect((await resolve(committed)).body).toEqual({ success: true })
      expect(await states(plane)).toMatchObject([{ cursor, unresolved: [] }])
      expect((await claimed()).state).toEqual({ cursor })
      expect((await resolve(committed)).status).toBe(404)
    })

    test('is no obstacle for a full refresh, which reads everything', async () => {
      const { plane, executor, claimed } = await unknown()
      await executor.complete(await claimed({ full_refresh: true }), { state: { cursor: 'all' } })
      expect(await states(plane)).toMatchObject([{ cursor: 'all', unresolved: [] }])
    })

    test('goes on by itself where writing the same rows again gives the same result', async () => {
      const { plane } = await unknown({ repeatable: true })
      expect(await states(plane)).toMatchObject([{ cursor: 'old', unresolved: [] }])
    })
  })

  test('of the first run, whose outcome is unknown, is kept for the answer', async () => {
    const { plane, executor, claimed } = await begin()
    const plan = await claimed()
    await executor.state(plan, { state: 'committing', source_state: { cursor: 'first' } })
    plane.services.runs.attempts.giveUp({ run_id: plan.run_id, attempt: 1 }, 'executor_lost')
    const [state] = await states(plane)
    expect(state).toMatchObject({ cursor: null, unresolved: [{ run_id: plan.run_id, cursor: 'first' }] })
    const path = `/api/tasks/${plane.taskId}/states/${state?.id}/resolve`
    expect((await plane.editor.post(path, { run_id: plan.run_id, committed: true })).status).toBe(200)
    expect((await claimed()).state).toEqual({ cursor: 'first' })
  })

  test('once forgotten, is not brought back by a run that was under way', async () => {
    const { plane, executor, claimed } = await begin()
    await executor.complete(await claimed(), { state: { cursor: 'x' } })
    const plan = await claimed()
    const [state] = await states(plane)
    const path = `/api/tasks/${plane.taskId}/states/${state?.id}`
    expect((await plane.editor.delete(path)).body).toEqual({ success: true })
    expect((await plane.editor.delete(path)).status).toBe(404)
    await executor.complete(plan, { state: { cursor: 'z' } })
    expect(await states(plane)).toEqual([])
    expect((await claimed()).state).toBeNull()
  })

  test('is one for each connector of the source', async () => {
    const { plane, executor, claimed } = await begin()
    await executor.complete(await claimed(), { state: { cursor: 'x' } })
    const other = await plane.editor.post('/api/connectors', { name: 'other', type: 'file', config: { root: '/tmp' } })
    const { id } = other.body as { id: number }
    expect((await claimed({ connector_mapping: { out: id } })).state).toBeNull()
  })
})
