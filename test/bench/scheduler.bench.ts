// 10,000 triggers of 10,000 jobs: how late they fire when they are spread over the hour and when all are due at once, what the
// server still answers meanwhile, and what waiting costs.
import Database from 'better-sqlite3'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startServerProcess } from '../faults/support/server-process.ts'
import { startTestServer } from '../support/server.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'

const triggers = 10_000
const idleMs = 10_000
const caller = { kind: 'api_key', user_id: 1, username: 'bench', role: 'editor', scopes: [], pending: false } as const

/** Jobs of one gate: what is measured is the start, not the work. */
async function prepare(dataDir: string): Promise<void> {
  const { services, platform, close } = await startTestServer({ dataDir })
  const yaml_content = 'etl: 1\nkind: job\nname: bench\ntasks:\n  ask: {gate: "Go on?"}\n'
  const who = { ...caller, scopes: [] }
  const template = services.jobTemplates.create({ yaml_content }, who)
  platform.store.transaction(() => {
    for (let count = 0; count < triggers; count++) {
      const { id: job_id } = services.jobs.create(template.id, { name: `job ${count}` }, who)
      services.triggers.create({ job_id, type: 'cron', cron_expression: `${count % 60} * * * *` }, who)
    }
  })
  await close()
}

const nextMinute = () => Math.floor(Date.now() / 60_000 + 1) * 60_000
/** Processor time in ms; Linux counts in hundredths of a second. */
const cpuMs = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'))
  await prepare(dataDir)
  const database = new Database(join(dataDir, 'headgate.db'))
  const lateness = database
    .prepare<[string], number>(
      "SELECT (unixepoch(fired_at, 'subsec') - unixepoch(scheduled_at, 'subsec')) * 1000 FROM trigger_firings WHERE scheduled_at = ?",
    )
    .pluck()
  const due = database.prepare<[string], number>('SELECT count(*) FROM triggers WHERE due_at <= ?').pluck()
  const fired = async (at: number, whileWaiting: () => Promise<void>) => {
    const text = new Date(at).toISOString()
    while (Date.now() <= at || due.get(text) !== 0) await whileWaiting()
    return lateness.all(text)
  }

  // Enough time for the idle seconds before the minute is full.
  if (nextMinute() - Date.now() < idleMs + 5_000) await delay(nextMinute() - Date.now())
  const spread = await startServerProcess(dataDir)
  const minute = nextMinute()
  await delay(2_000)
  const before = cpuMs(spread.pid)
  await delay(idleMs)
  const idle = (cpuMs(spread.pid) - before) / idleMs
  const single = await fired(minute, () => delay(20))
  await spread.stop()

  if (nextMinute() - Date.now() < 5_000) await delay(nextMinute() - Date.now())
  const all = nextMinute()
  const text = new Date(all).toISOString()
  database.prepare("UPDATE triggers SET cron_expression = '* * * * *', next_fire_at = ?, due_at = ?").run(text, text)
  const burst = await startServerProcess(dataDir)
  const answers: number[] = []
  await delay(all - Date.now())
  const crowd = await fired(all, async () => {
    const began = performance.now()
    await fetch(`${burst.url}/api/health`)
    answers.push(performance.now() - began)
  })
  await burst.stop()
  database.close()
  rmSync(dataDir, { recursive: true, force: true })
  return [
    {
      name: 'trigger late, 10,000 spread over an hour, p50',
      value: round(percentile(single, 0.5), 1),
      unit: 'ms',
      note: `${single.length} due`,
    },
    { name: 'trigger late, 10,000 spread over an hour, p99', value: round(percentile(single, 0.99), 1), unit: 'ms' },
    {
      name: 'trigger late, 10,000 due at once, p50',
      value: round(percentile(crowd, 0.5), 0),
      unit: 'ms',
      note: `${crowd.length} started`,
    },
    { name: 'trigger late, 10,000 due at once, p99', value: round(percentile(crowd, 0.99), 0), unit: 'ms' },
    {
      name: 'answer to a request meanwhile, p99',
      value: round(percentile(answers, 0.99), 1),
      unit: 'ms',
      bar: '≤ 50 ms',
      passed: percentile(answers, 0.99) <= 50,
    },
    { name: 'processor while 10,000 triggers wait', value: round(idle * 100, 2), unit: '%', note: 'of one core' },
  ]
}
