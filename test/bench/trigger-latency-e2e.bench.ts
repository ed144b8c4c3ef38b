// The whole way with nothing left out: REST, store, claim, executor, warm worker, engine, log. The task is the smallest
// real one, a row of the YAML into a file.
import { join } from 'node:path'
import { getRun, getRunLogs, listRuns, triggerRun, type Run } from '../../src/contract/runs.ts'
import type { BenchResult } from './result.ts'
import { startInstallation, type Installation } from './support/installation.ts'

const task = (name: string): string => `
etl: 1
kind: pipeline
name: ${name}
connectors:
  files: {type: file, access: write}
source:
  inline:
    rows: [{n: 1}]
target:
  connector: files
  file: {path: "${name}.jsonl"}
`

const WARM_UP = 50
const TRIGGERS = 200
const QUEUED = 1_000

const NO_OP = join(import.meta.dirname, 'children', 'no-op-executor.ts')

export async function run(): Promise<BenchResult[]> {
  return [
    ...(await latency()),
    await throughput('no-op runs/s', 2, NO_OP),
    await throughput('no-op runs/s', 8, NO_OP),
    await throughput('runs/s of a row into a file', 2),
  ]
}

async function latency(): Promise<BenchResult[]> {
  const installation = await startInstallation()
  try {
    const { taskId, mapping } = await installation.task(task('latency'))
    const first: number[] = []
    const whole: number[] = []
    for (let n = 0; n < WARM_UP + TRIGGERS; n++) {
      const begun = Date.now()
      const { id } = await installation.call(triggerRun, { params: { taskId }, body: { connector_mapping: mapping } })
      const ended = await endOf(installation, id)
      const { lines } = await installation.call(getRunLogs, { params: { id }, query: { limit: 1 } })
      if (n < WARM_UP) continue
      // Times of lines have whole milliseconds; ours is cut likewise, so the difference is right on average.
      first.push(Date.parse(lines[0]!.at) - begun)
      whole.push(Date.parse(ended.completed_at!) - begun)
    }
    const note = `${TRIGGERS} runs one after the other, by the clock in ms`
    return [
      figure('trigger → first line, p50', percentile(first, 0.5), 'ms', 8, note),
      figure('trigger → first line, p99', percentile(first, 0.99), 'ms', 30, note),
      { name: 'trigger → end of the run, p50', value: percentile(whole, 0.5), unit: 'ms', note },
    ]
  } finally {
    await installation.close()
  }
}

async function endOf(installation: Installation, id: number): Promise<Run> {
  for (;;) {
    const found = await installation.call(getRun, { params: { id } })
    if (found.status === 'success') return found
    if (found.status !== 'pending' && found.status !== 'running') throw new Error(`Run ${id}: ${found.error_message}`)
  }
}

/** Runs that wait are carried out by one executor: from the first claim to the last completion, every run with its log. */
async function throughput(name: string, slots: number, entry?: string): Promise<BenchResult> {
  const installation = await startInstallation(['--no-executor'])
  try {
    const { taskId, mapping } = await installation.task(task(`flow_${slots}`))
    for (let n = 0; n < QUEUED; n += 50) {
      const body = { connector_mapping: mapping }
      await Promise.all(Array.from({ length: 50 }, () => installation.call(triggerRun, { params: { taskId }, body })))
    }
    const executor = installation.startExecutor(['--name', 'bench', '--slots', String(slots)], entry)
    await until(async () => (await count(installation, 'success')) === QUEUED)
    await executor.stop()
    const value = Math.round(QUEUED / ((await spanMs(installation)) / 1_000))
    const note = `${QUEUED} runs; every one durable with its log`
    const bar = entry ? { bar: '≥ 500 /s', passed: value >= 500 } : {}
    return { name: `${name}, one executor of ${slots} slots`, value, unit: '/s', ...bar, note }
  } finally {
    await installation.close()
  }
}

async function spanMs(installation: Installation): Promise<number> {
  const { result } = await installation.call(listRuns, { query: { limit: 1 } })
  const newest = result[0]!
  const oldest = await installation.call(getRun, { params: { id: newest.id - QUEUED + 1 } })
  return Date.parse(newest.completed_at!) - Date.parse(oldest.started_at!)
}

async function count(installation: Installation, status: Run['status']): Promise<number> {
  return (await installation.call(listRuns, { query: { status: [status], limit: 1 } })).total
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100))
}

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
}

function figure(name: string, value: number, unit: string, bar: number, note: string): BenchResult {
  return { name, value: Math.round(value * 10) / 10, unit, bar: `≤ ${bar} ${unit}`, passed: value <= bar, note }
}
