import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ExitInfo } from '../../../src/process/child.ts'
import { createWorkerPool, type Job, type JobWorker } from '../../../src/executor/workers/worker-pool.ts'

/** Workers whose words and end come when the test says so. */
function scripted() {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-pool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workers: { say(message: unknown): void; end(exit: ExitInfo): void }[] = []
  const pool = createWorkerPool({
    title: 'test',
    tempDir: folder,
    max: 1,
    warm: 1,
    recycle: { after: 100, rssBytes: 1e12 },
    idleMs: 1e6,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    fork() {
      const heard: ((message: unknown) => void)[] = []
      const ends: ((exit: ExitInfo) => void)[] = []
      workers.push({
        say: (message) => heard.forEach((hear) => hear(message)),
        end: (exit) => ends.forEach((end) => end(exit)),
      })
      return {
        pid: workers.length,
        send: () => true,
        onMessage: (hear) => void heard.push(hear),
        onExit: (end) => void ends.push(end),
        kill: () => undefined,
      }
    },
  })
  return { pool, workers, folder }
}

test('a worker that was killed gets no more work, although it said it was done before it ended', () => {
  const { pool, workers } = scripted()
  const begun: JobWorker[] = []
  const lost: number[] = []
  const job = (number: number): Job => ({
    begin: (worker) => void begun.push(worker),
    hear: () => undefined,
    lost: () => void lost.push(number),
  })
  workers[0]!.say({ type: 'ready' })
  pool.submit(job(1))
  pool.submit(job(2))
  begun[0]!.kill()
  workers[0]!.say({ type: 'result-done', rss: 1 })
  expect(begun).toHaveLength(1)
  workers[0]!.end({ code: null, signal: 'SIGKILL' })
  workers[1]!.say({ type: 'ready' })
  expect([begun.map(({ pid }) => pid), lost]).toEqual([[1, 2], []])
})

test('a pool has ended when every worker and its folder are gone, also of those that it replaced', async () => {
  const { pool, workers, folder } = scripted()
  workers[0]!.say({ type: 'ready' })
  pool.submit({ begin: () => undefined, hear: () => undefined, lost: () => undefined })
  // It holds too much memory, and another one starts in its place.
  workers[0]!.say({ type: 'result-done', rss: 1e13 })
  expect(workers).toHaveLength(2)
  let isOver = false
  const closing = pool.close().then(() => (isOver = true))
  workers[1]!.end({ code: null, signal: 'SIGKILL' })
  await expect.poll(() => readdirSync(folder)).toEqual(['worker-1'])
  expect(isOver).toBe(false)
  workers[0]!.end({ code: null, signal: 'SIGKILL' })
  await closing
  expect(readdirSync(folder)).toEqual([])
})
