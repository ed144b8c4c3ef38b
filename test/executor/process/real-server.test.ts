// The executor and its workers against the server itself, with the engine: nothing is stood in for.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drainExecutor, listExecutors } from '../../../src/contract/executors.ts'
import { cancelRun, getRunLogs, listRunSteps } from '../../../src/contract/runs.ts'
import { listRunRejects } from '../../../src/contract/run-rejects.ts'
import { previewTask, validateTask } from '../../../src/contract/task-preview.ts'
import { childrenOf, isGone } from '../../support/processes.ts'
import { startRealWorld, type RealWorld } from './real-world.ts'

const LONG = { timeout: 60_000, interval: 10 }
let world: RealWorld

beforeAll(async () => {
  world = await startRealWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  const { pid } = world.executor()
  if (pid === undefined || isGone(pid)) world.startExecutor()
  await expect.poll(() => world.online(), LONG).toBe('online')
})

/** Squares of the first `rows` numbers into a file; with 30,000,000,000 of them it does not come to an end. */
const squares = (name: string, rows: number, more = ''): string => `
etl: 1
kind: pipeline
name: ${name}
connectors:
  files: {type: file, access: write}
source:
  inline:
    rows: [{n: 1}]
steps:
  - sql: "SELECT sum(a.range * b.range) AS total FROM stream, range(${rows}) a, range(10) b"
target:
  connector: files
  file: {path: "${name}.jsonl"}
${more}`
const endless = 3_000_000_000

const trigger = (yaml: string): Promise<number> => world.trigger(yaml, { files: world.connector })

async function logOf(id: number): Promise<string[]> {
  const { lines } = await world.client.call(getRunLogs, { params: { id } })
  return lines.map(({ message }) => message)
}

/** Its code is under way. */
async function begun(id: number): Promise<void> {
  await expect.poll(async () => (await logOf(id)).length, LONG).toBeGreaterThan(0)
}

describe('a run', () => {
  test('goes from YAML to data, with its log and its steps', async () => {
    const id = await trigger(squares('small', 1_000))
    await expect.poll(() => world.statusOf(id), LONG).toBe('success')
    expect(await world.runOf(id)).toMatchObject({ item_count: 1, executor_name: 'real', attempt: 1 })
    expect(JSON.parse(readFileSync(join(world.folder, 'small.jsonl'), 'utf8'))).toHaveProperty('total')
    expect((await logOf(id)).length).toBeGreaterThan(1)
    const steps = await world.client.call(listRunSteps, { params: { id } })
    expect(steps.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
  })

  test('says in its steps and its log which values arrived differently, and how many', async () => {
    const id = await world.trigger(
      `
etl: 1
kind: pipeline
name: changed
connectors:
  files: {type: file, access: write}
source:
  inline:
    rows: [{n: 1}]
steps:
  - sql: "SELECT CASE WHEN range % 2 = 0 THEN 'inf'::DOUBLE ELSE 0.5 END AS v FROM stream, range(10)"
target:
  connector: files
  file: {path: changed.jsonl}
`,
      { files: world.connector },
    )
    await expect.poll(() => world.statusOf(id), LONG).toBe('success')
    const steps = await world.client.call(listRunSteps, { params: { id } })
    expect(steps.map(({ changes }) => changes)).toEqual([
      undefined,
      undefined,
      [expect.objectContaining({ column: 'v', change: 'NaN or infinity, written as text', count: 5, example: 'inf' })],
    ])
    const told = (await logOf(id)).filter((message) => message.includes('NaN or infinity'))
    expect(told).toEqual(['Column `v`, 5 values: NaN or infinity, written as text (such as inf)'])
  })

  test('keeps rejected rows whatever their columns are called', async () => {
    // One is too large to be kept as it is.
    const long = 'x'.repeat(9_000)
    const wide = Array.from({ length: 10 }, (_, at) => `c${at}`)
    const header = ['id', '__proto__', 'constructor', 'toString', 'hasOwnProperty', ...wide]
    const rowOf = (id: number, text: string): string => [id, 'a', 'b', 'c', 'd', ...wide.map(() => text)].join(',')
    writeFileSync(join(world.folder, 'odd.csv'), [header.join(','), rowOf(1, 'x'), rowOf(2, long), ''].join('\n'))
    const id = await world.trigger(
      `
etl: 1
kind: pipeline
name: odd
connectors: {files: {type: file, access: read_write}}
source: {connector: files, files: {glob: odd.csv}}
steps:
  - expect: [{name: none, check: "id > 2", on_fail: quarantine}]
target: {connector: files, file: {path: odd.jsonl}}
`,
      { files: world.connector },
    )
    await expect.poll(() => world.statusOf(id), LONG).toBe('completed')
    expect(await world.runOf(id)).toMatchObject({ reject_count: 2, error_code: null })
    const { result } = await world.client.call(listRunRejects, { params: { id } })
    expect(result.map(({ row }) => Object.entries(row).slice(0, 5))).toEqual([
      [
        ['id', 1],
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
        ['hasOwnProperty', 'd'],
      ],
      [
        ['id', 2],
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
        ['hasOwnProperty', 'd'],
      ],
    ])
  })

  test('is cancelled while its query is under way', async () => {
    const id = await trigger(squares('cancelled', endless))
    await begun(id)
    await world.client.call(cancelRun, { params: { id } })
    await expect.poll(() => world.statusOf(id), LONG).toBe('cancelled')
    const steps = await world.client.call(listRunSteps, { params: { id } })
    // Which step it was is a matter of time: the query is looked at before it runs.
    const statuses = steps.map(({ status }) => status)
    expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(1)
    expect(statuses).not.toContain('failed')
  })

  test('is stopped at its time limit', async () => {
    const id = await trigger(squares('limited', endless, 'timeout: 1s\n'))
    await expect.poll(() => world.statusOf(id), LONG).toBe('failed')
    expect(await world.runOf(id)).toMatchObject({
      error_code: 'TIMEOUT',
      error_message: expect.stringContaining('1 s'),
    })
  })

  test('fails when its worker is killed, and the slot comes back', async () => {
    const id = await trigger(squares('killed', endless))
    await begun(id)
    for (const pid of childrenOf(world.executor().pid!)) process.kill(pid, 'SIGKILL')
    await expect.poll(() => world.statusOf(id), LONG).toBe('failed')
    expect((await world.runOf(id)).error_code).toBe('WORKER_CRASHED')
    await expect.poll(() => childrenOf(world.executor().pid!).length, LONG).toBe(3)
    const next = await trigger(squares('after_the_kill', 10))
    await expect.poll(() => world.statusOf(next), LONG).toBe('success')
  })

  test('is not tried a third time when two workers in a row crash', async () => {
    // The delay is longer than it takes to end all workers: else the second attempt dies with the first, unseen.
    const id = await trigger(squares('crashing', endless, 'retries: {max: 5, delay: 5s}\n'))
    for (const began of ['Task crashing version 1', 'attempt 2']) {
      const seen = async () => [await world.statusOf(id), ...(await logOf(id))].join()
      await expect.poll(seen, LONG).toContain(began)
      const workers = childrenOf(world.executor().pid!)
      // The first one only takes away V8's own handler, which is for faults of WebAssembly.
      const crash = () => workers.filter((pid) => !isGone(pid)).forEach((pid) => process.kill(pid, 'SIGSEGV'))
      await expect.poll(() => (crash(), workers.every(isGone)), LONG).toBe(true)
    }
    await expect.poll(() => world.statusOf(id), LONG).toBe('failed')
    expect(await world.runOf(id)).toMatchObject({
      attempt: 2,
      error_code: 'WORKER_CRASHED',
      error_message: expect.stringMatching(/SIGSEGV.* ended in the same way, so the run is not retried\.$/),
    })
  })

  test('is tried again on the next executor when its own is killed, and leaves no orphan', async () => {
    const id = await trigger(squares('orphaned', endless, 'retries: {max: 1, delay: 1s}\n'))
    await begun(id)
    const workers = childrenOf(world.executor().pid!)
    world.executor().kill('SIGKILL')
    await expect.poll(() => workers.every(isGone), LONG).toBe(true)
    world.startExecutor()
    await expect.poll(async () => (await world.runOf(id)).attempt, LONG).toBe(2)
    await expect.poll(() => world.statusOf(id), LONG).toBe('running')
    await world.client.call(cancelRun, { params: { id } })
    await expect.poll(() => world.statusOf(id), LONG).toBe('cancelled')
  })
})

test('a preview is answered while every slot is taken', async () => {
  writeFileSync(join(world.folder, 'people.csv'), 'id,name\n1,Ada\n2,Grace\n')
  const busy = [await trigger(squares('busy_1', endless)), await trigger(squares('busy_2', endless))]
  for (const id of busy) await begun(id)
  const yaml = `
etl: 1
kind: pipeline
name: people
connectors:
  files: {type: file, access: read_write}
source:
  connector: files
  files: {glob: people.csv, format: csv}
steps:
  - filter: id > 1
target:
  connector: files
  file: {path: out.csv}
`
  const preview = await world.client.call(previewTask, {
    body: { yaml_content: yaml, connector_mapping: { files: world.connector } },
  })
  expect(preview.stages.map(({ row_count }) => row_count)).toEqual([2, 1])
  for (const id of busy) await world.client.call(cancelRun, { params: { id } })
  for (const id of busy) await expect.poll(() => world.statusOf(id), LONG).toBe('cancelled')
})

test('a drained executor finishes what it runs, takes nothing new, and says goodbye when it is ended', async () => {
  const running = await trigger(squares('last_one', endless))
  await begun(running)
  const { id } = (await world.client.call(listExecutors)).find(({ name }) => name === 'real')!
  await world.client.call(drainExecutor, { params: { id } })
  const waiting = await trigger(squares('waits', 10))
  world.executor().send({ type: 'drain' })
  await expect.poll(() => world.online(), LONG).toBe('offline')
  expect(await world.runOf(running)).toMatchObject({ status: 'failed', error_code: 'EXECUTOR_SHUTDOWN' })
  expect((await world.runOf(waiting)).status).toBe('pending')
  world.startExecutor()
  await expect.poll(() => world.statusOf(waiting), LONG).toBe('success')
})

test('a task is validated with the parser of DuckDB, which says the place of a mistake', async () => {
  const validate = (from: string, to: string) =>
    world.client.call(validateTask, { body: { yaml_content: squares('valid', 1).replace(from, to) } })
  // Its workers may still be starting.
  await expect.poll(() => validate('', ''), LONG).toMatchObject({ valid: true, sql_checked: true, diagnostics: [] })
  expect(await validate('AS total FROM', 'AS total, FROM FROM')).toMatchObject({
    valid: false,
    sql_checked: true,
    diagnostics: [{ code: 'sql_syntax', severity: 'error', path: 'steps[0].sql', line: 11 }],
  })
  expect(await validate('FROM stream', 'FORM stream')).toMatchObject({
    valid: false,
    sql_checked: false,
    diagnostics: [{ code: 'sql_misspelled_keyword', line: 11, hint: 'Did you mean `FROM`?' }],
  })
})

test('an executor that is killed is shown as not answering before its lease ends, and its run goes on until then', async () => {
  const id = await trigger(squares('left_alone', endless))
  await expect.poll(() => world.statusOf(id), LONG).toBe('running')
  const shown = async () => (await world.client.call(listExecutors, {})).find(({ name }) => name === 'real')
  expect(await shown()).toMatchObject({ status: 'online', answering: true })
  world.executor().kill('SIGKILL')
  await expect.poll(async () => (await shown())?.answering, LONG).toBe(false)
  expect(await shown()).toMatchObject({ status: 'online' })
  expect(await world.statusOf(id)).toBe('running')
  world.startExecutor()
  await expect.poll(async () => (await shown())?.answering, LONG).toBe(true)
})
