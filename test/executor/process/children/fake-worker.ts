// A worker whose engine does what the task's text says, as JSON: see FakeTask.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveWorker } from '../../../../src/executor/workers/worker-host.ts'
import type { RunIo, RunOutcome } from '../../../../src/executor/worker-protocol.ts'
import type { FakeTask } from '../fake-task.ts'

const success: RunOutcome = {
  status: 'success',
  item_count: 1,
  reject_count: 0,
  steps: [],
  metrics: { rows_in: 1, rows_out: 1, rejected: 0, lane: 'fake' },
}

function step(status: 'running' | 'pending', key: string, index: number): RunOutcome['steps'][number] {
  const none = { rows_in: null, rows_out: null, rows_rejected: null, bytes: null, started_at: null, duration_ms: null }
  return { index, key, label: key, status, ...none, columns: [] }
}

async function perform(task: FakeTask, io: RunIo): Promise<RunOutcome> {
  for (const line of task.log ?? []) io.log('info', line)
  if (task.print) process.stdout.write(task.print)
  if (task.steps) io.progress([step('running', 'source', 0), step('pending', 'target', 1)])
  if (task.leave) writeFileSync(join(io.tempDir, task.leave), 'left behind')
  if (task.loseFolder) rmSync(io.tempDir, { recursive: true })
  if (task.permit) {
    await io.permit?.(task.permit === 'repeatable', null)
    io.log('info', 'permitted')
  }
  if (task.commit) {
    const { item_count, cursor } = task.commit
    io.committed?.({ item_count, state: { cursor } })
  }
  if (task.flood) flood(io, task.flood.lines, task.flood.bytes)
  if (task.rejects) await io.reject(Array.from({ length: task.rejects }, (_, n) => rejectOf(n, task)))
  if (task.wait) await task_wait(io, task.wait === 'stubborn')
  if (task.block) for (;;) Math.random()
  if (task.blockMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task.blockMs)
  if (task.exit !== undefined) process.exit(task.exit)
  if (task.throwLater)
    setImmediate(() => {
      throw new Error(`nobody catches this: ${task.throwLater}`)
    })
  if (task.throwLater) await new Promise(() => {})
  if (task.throw) throw new Error(task.throw)
  return {
    ...success,
    reject_count: task.rejects ?? 0,
    ...task.outcome,
    outputs: { pid: process.pid, ...task.outcome?.outputs },
  }
}

function rejectOf(n: number, { reason }: FakeTask) {
  return { step: 'expect', reason: reason ?? `row ${n} is wrong`, row: { n } }
}

function flood(io: RunIo, lines: number, bytes: number): void {
  for (let n = 0; n < lines; n++) io.log('info', `${n} `.padEnd(bytes, 'x'))
}

function task_wait(io: RunIo, stubborn: boolean): Promise<void> {
  return new Promise((_, reject) => {
    // Keeps the process from ending, as work would.
    const alive = setInterval(() => {}, 1_000)
    if (stubborn) return
    io.signal.addEventListener('abort', () => {
      clearInterval(alive)
      reject(new Error('stopped'))
    })
  })
}

serveWorker({
  runTask: async (plan, io) => {
    // Written by the tests.
    const task = JSON.parse(plan.task.yaml_content) as FakeTask
    try {
      return await perform(task, io)
    } catch (error) {
      if (!io.signal.aborted) throw error
      return { ...success, status: 'failed', error: { code: 'ABORTED', message: 'stopped', retryable: true } }
    }
  },
  openResult: async () => {
    throw new Error('Not asked for by these tests')
  },
  runCall: async (work, io) => {
    if (work.kind !== 'list_resources') throw Object.assign(new Error('no such file'), { code: 'NOT_FOUND' })
    if (work.q === 'exit') process.exit(0)
    if (work.q === 'hang') {
      await new Promise((_, reject) => {
        const alive = setInterval(() => {}, 1_000)
        io.signal.addEventListener('abort', () => {
          clearInterval(alive)
          reject(new Error('stopped'))
        })
      })
    }
    return { kind: 'list_resources', value: { resources: [], truncated: false } }
  },
})
