// With real clocks, real processes and real timers: nobody calls anything but REST.
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import { createEventTrigger, getEventTrigger } from '../../../src/contract/event-triggers.ts'
import { listExecutors } from '../../../src/contract/executors.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { listAllJobRuns } from '../../../src/contract/job-runs.ts'
import { createJob } from '../../../src/contract/jobs.ts'
import { createTrigger, getTrigger } from '../../../src/contract/triggers.ts'
import { forkNode } from '../../../src/process/child.ts'
import { systemClock } from '../../../src/server/platform/clock.ts'
import { entryOf } from '../../support/entries.ts'
import { type TestClient, startTestServer, testExecutorKey } from '../../support/server.ts'
import { movableClock } from '../runs/control-plane.ts'
import { spawnServer } from '../../support/server-process.ts'

const patience = { timeout: 120_000, interval: 20 }

async function makeJob(editor: TestClient, name: string): Promise<number> {
  const yaml_content = `etl: 1\nkind: job\nname: ${name}\nparameters:\n  n: {type: integer, required: false}\ntasks:\n  ask: {gate: "Go on?"}\n`
  const { id } = await editor.call(createJobTemplate, { body: { yaml_content } })
  return (await editor.call(createJob, { params: { id }, body: { name } })).id
}
const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-triggers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a one_off fires soon after the clock was set forward', async () => {
  const clock = Object.assign(movableClock(), { monotonic: systemClock.monotonic })
  const server = await startTestServer({ clock })
  onTestFinished(() => server.close())
  const editor = server.as('editor')
  const job_id = await makeJob(editor, 'soon')
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await editor.call(createTrigger, { body: { job_id, type: 'one_off', cron_expression: at } })
  const began = performance.now()
  clock.offset += 3_600_000
  await vi.waitFor(async () => {
    const { enabled, last_triggered_at } = await editor.call(getTrigger, { params: { id } })
    expect([enabled, last_triggered_at! >= at]).toEqual([0, true])
  }, patience)
  // A second where the machine is quiet; it used to be up to 30.
  expect(performance.now() - began).toBeLessThan(15_000)
  expect((await editor.call(listAllJobRuns, { query: { job_id: [job_id] } })).result).toMatchObject([
    { logical_date: at },
  ])
})

test('a file that arrives is found by an executor, and starts the job', { timeout: 180_000 }, async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const editor = server.as('editor')
  const executor = forkNode(entryOf('executor'), {
    name: 'executor',
    args: ['--url', server.url, '--name', 'arrivals', '--slots', '1', '--grace', '1'],
    env: { SVC_EXECUTOR_KEY: testExecutorKey },
    output: () => {},
  })
  const ended = new Promise<void>((resolve) => executor.onExit(() => resolve()))
  onTestFinished(async () => {
    executor.kill('SIGKILL')
    await ended
  })
  await vi.waitFor(async () => expect((await editor.call(listExecutors)).length).toBe(1), patience)
  const folder = temporary()
  writeFileSync(join(folder, 'old.csv'), 'a\n')
  const connector = await server
    .as('admin')
    .call(createConnector, { body: { name: 'inbox', type: 'file', config: { root: folder } } })
  const job_id = await makeJob(editor, 'arrivals')
  const { id } = await editor.call(createEventTrigger, {
    body: {
      job_id,
      name: 'csv',
      type: 'file_arrival',
      config: { connector_id: connector.id, glob: '*.csv', poll_seconds: 5, settle_seconds: 0 },
      arguments: { n: '${{ event.count }}' },
    },
  })
  // Once the files that are there have been taken down, another one is news.
  const looked = server.platform.store.sqlite.prepare('SELECT looked FROM event_triggers WHERE id = ?').pluck()
  await vi.waitFor(() => expect(looked.get(id)).toBe(1), patience)
  writeFileSync(join(folder, 'new.csv'), 'a\n')
  await vi.waitFor(async () => {
    const { result } = await editor.call(listAllJobRuns, { query: { job_id: [job_id] } })
    expect(result).toMatchObject([{ event_trigger_id: id, arguments: '{"n":1}', trigger_type: 'api' }])
  }, patience)
  expect((await editor.call(getEventTrigger, { params: { id } })).last_error).toBeNull()
})

test(
  'a server that is killed again and again while it catches up fires each time exactly once',
  { timeout: 300_000 },
  async () => {
    const dataDir = temporary()
    const waiting = 60
    const triggers = 6
    const before = await startTestServer({ dataDir })
    const editor = before.as('editor')
    for (let count = 0; count < triggers; count++) {
      const job_id = await makeJob(editor, `job_${count}`)
      await editor.call(createTrigger, {
        body: { job_id, type: 'cron', cron_expression: '* * * * *', misfire_policy: 'fire_all' },
      })
    }
    await before.close()
    const database = new Database(join(dataDir, 'headgate.db'))
    onTestFinished(() => void database.close())
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    const since = new Date(minute - (waiting - 1) * 60_000).toISOString()
    database.prepare('UPDATE triggers SET next_fire_at = ?, due_at = ?').run(since, since)
    const fired = database.prepare('SELECT count(*) FROM trigger_firings').pluck()
    const overdue = database.prepare('SELECT count(*) FROM triggers WHERE due_at < ?').pluck()

    const env = { SVC_EXECUTOR_KEY: testExecutorKey, SVC_LOG_LEVEL: 'error' }
    const args = ['--port', '0', '--no-executor']
    for (let death = 0; death < 4; death++) {
      const enough = Number(fired.get()) + 1 + Math.floor(Math.random() * 20)
      const server = spawnServer(dataDir, { args, env })
      await vi.waitFor(() => expect(fired.get()).toBeGreaterThanOrEqual(Math.min(enough, triggers * waiting)), {
        ...patience,
        interval: 1,
      })
      server.kill('SIGKILL')
      await server.exited
    }
    const last = spawnServer(dataDir, { args, env })
    await vi.waitFor(() => expect(overdue.get(new Date().toISOString())).toBe(0), patience)
    last.kill('SIGTERM')
    await last.exited
    const counts = database
      .prepare(
        `SELECT trigger_id, count(*) AS firings, count(DISTINCT scheduled_at) AS times, sum(outcome = 'started') AS started,
        (SELECT count(*) FROM job_runs WHERE job_runs.trigger_id = f.trigger_id) AS job_runs,
        (SELECT count(DISTINCT logical_date) FROM job_runs WHERE job_runs.trigger_id = f.trigger_id) AS dates
      FROM trigger_firings AS f GROUP BY trigger_id`,
      )
      .all() as Record<string, number>[] // a row for each trigger
    expect(counts).toHaveLength(triggers)
    for (const { firings, ...others } of counts) {
      expect(firings).toBeGreaterThanOrEqual(waiting)
      expect(others).toMatchObject({ times: firings, started: firings, job_runs: firings, dates: firings })
    }
  },
)
