import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { jobPlane } from './job-plane.ts'

const failing = (count: number) => ({
  tasks:
    '  many: {task: work, connectors: {out: dir}, for_each: {in: "${{ parameters.list }}", as: x, on_item_error: continue}, args: {value: "${{ each.x }}"}}\n',
  head: 'parameters: {list: {type: json}}',
  // Arguments of the task are text.
  list: Array.from({ length: count }, () => ({})),
})

test('a fan-out whose items all fail before they start lets requests in between', async () => {
  const plane = await jobPlane()
  const { tasks, head, list } = failing(3_000)
  const id = plane.start(await plane.job(tasks, head), { arguments: { list } })
  expect(plane.states(id)).toEqual({ many: 'queued' })
  let turns = 0
  while (plane.jobRun(id).status === 'running') {
    turns += 1
    await turn()
  }
  expect(turns).toBeGreaterThan(3)
  expect(plane.jobRun(id)).toMatchObject({ status: 'failed' })
  expect(plane.node(id, 'many').error_message).toContain('3000 of 3000 items failed')
})

test('a cancel between the pieces of a fan-out skips the rest', async () => {
  const plane = await jobPlane()
  const { tasks, head, list } = failing(3_000)
  const id = plane.start(await plane.job(tasks, head), { arguments: { list } })
  expect((await plane.editor.post(`/api/job-runs/${id}/cancel`)).status).toBe(200)
  expect(plane.jobRun(id).status).toBe('cancelled')
  const items = plane.platform.store.sqlite
    .prepare('SELECT DISTINCT status FROM job_run_items ORDER BY status')
    .pluck()
    .all()
  expect(items).toEqual(['failed', 'skipped'])
})

test('a fan-out that the end of a server has cut off goes on with the next one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await jobPlane({ dataDir })
  const { tasks, head, list } = failing(3_000)
  const id = first.start(await first.job(tasks, head), { arguments: { list } })
  await first.close()
  const second = await startTestServer({ dataDir })
  onTestFinished(second.close)
  const status = () => second.services.jobRunReads.get(id).status
  expect(status()).toBe('running')
  second.services.jobRuns.recover()
  await expect.poll(status, { timeout: 60_000 }).toBe('failed')
})

test('a cascade of decisions is made in pieces and reaches its end', async () => {
  const plane = await jobPlane()
  const count = 400
  const names = Array.from({ length: count }, (_, at) => at)
  const tasks = names
    .map((at) => {
      const behind = at === 0 ? '' : `depends_on: [k${at - 1}], run_if: all_done, `
      return `  k${at}: {task: work, connectors: {out: dir}, ${behind}when: "\${{ run.id / 0 > 1 }}"}\n`
    })
    .join('')
  const id = plane.start(await plane.job(tasks))
  await expect.poll(() => plane.jobRun(id).status, { timeout: 60_000 }).toBe('failed')
  expect(new Set(Object.values(plane.states(id)))).toEqual(new Set(['failed']))
})
