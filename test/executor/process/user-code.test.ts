// Code of users in real workers: an executor against the server itself.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import { listExecutors } from '../../../src/contract/executors.ts'
import { cancelRun, getRun, getRunLogs, triggerRun, type Run } from '../../../src/contract/runs.ts'
import { createTask } from '../../../src/contract/tasks.ts'
import { forkNode, type ChildHandle } from '../../../src/process/child.ts'
import { isGone } from '../../support/processes.ts'
import { startTestServer, testExecutorKey, type TestClient, type TestServer } from '../../support/server.ts'
import { childrenOf } from './executor-process.ts'

const LONG = { timeout: 20_000, interval: 20 }
let server: TestServer
let client: TestClient
let folder: string
let connector: number
let executor: ChildHandle

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-user-code-'))
  server = await startTestServer({ config: { leases: { executorMs: 3_000, heartbeatMs: 500 } } })
  client = server.as('admin')
  connector = (await client.call(createConnector, { body: { name: 'files', type: 'file', config: { root: folder } } }))
    .id
  executor = forkNode(join(import.meta.dirname, '../../../src/executor/start.ts'), {
    name: 'executor',
    args: ['--url', server.url, '--name', 'real', '--slots', '2', '--grace', '1'],
    env: { SVC_EXECUTOR_KEY: testExecutorKey, HEADGATE_EXECUTOR_COMMANDS: '/bin/sh' },
    output: 'ignore',
  })
})
beforeEach(async () => {
  await expect
    .poll(async () => (await client.call(listExecutors)).find(({ name }) => name === 'real')?.status, LONG)
    .toBe('online')
})
afterAll(async () => {
  executor?.kill('SIGKILL')
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function trigger(yaml: string, mapping: Record<string, number> = {}): Promise<number> {
  const { id: taskId } = await client.call(createTask, { body: { yaml_content: yaml } })
  return (await client.call(triggerRun, { params: { taskId }, body: { connector_mapping: mapping } })).id
}

const runOf = (id: number): Promise<Run> => client.call(getRun, { params: { id } })
const statusOf = async (id: number): Promise<string> => (await runOf(id)).status

const pipeline = (name: string, step: string): string => `etl: 1
kind: pipeline
name: ${name}
connectors: {files: {type: file, access: write}}
source: {inline: {rows: [{id: 1}, {id: 2}]}}
steps:
  - ${step}
target: {connector: files, file: {path: ${name}.jsonl}}
`

const program = (name: string, script: string): string =>
  `etl: 1\nkind: command\nname: ${name}\ncommand: ${JSON.stringify(['/bin/sh', '-c', script])}\n`

/** Says its process id and hears no signal that it can do without. */
const stubborn = (file: string): string =>
  `trap '' TERM INT HUP; echo $$ > ${file}.part; mv ${file}.part ${file}; while :; do sleep 1; done`

test('maps rows; an expression without an end is cancelled, one that takes all memory leaves the worker alive', async () => {
  const mapped = await trigger(pipeline('mapped', `map: '{"id": id, "twice": id * 2}'`), { files: connector })
  await expect.poll(() => statusOf(mapped), LONG).toBe('success')
  expect(readFileSync(join(folder, 'mapped.jsonl'), 'utf8')).toBe('{"id":1,"twice":2}\n{"id":2,"twice":4}\n')
  const endless = `map: {expression: '($f := function($n) {$f($n)}; {"x": $f(1)})', timeout: 10m}`
  const cancelled = await trigger(pipeline('endless', endless), { files: connector })
  await expect.poll(() => statusOf(cancelled), LONG).toBe('running')
  await client.call(cancelRun, { params: { id: cancelled } })
  await expect.poll(() => statusOf(cancelled), LONG).toBe('cancelled')
  const workers = childrenOf(executor.pid!)
  const bomb = `map: '($f := function($l) {$f($append($l, $l))}; {"x": $f([1, 2, 3])})'`
  const bombed = await trigger(pipeline('bomb', bomb), { files: connector })
  await expect.poll(() => statusOf(bombed), LONG).toBe('failed')
  expect(await runOf(bombed)).toMatchObject({ error_code: 'EXPRESSION_FAILED' })
  expect(workers.every((pid) => !isGone(pid))).toBe(true)
})

test('a script computes, and its lines arrive in order', async () => {
  const yaml = `etl: 1
kind: script
name: lines
script: |
  for (let i = 0; i < 3000; i++) console.log('line ' + i)
  return {sum: 1 + 1}
outputs: {sum: "\${{ result.sum }}"}
`
  const id = await trigger(yaml)
  await expect.poll(() => statusOf(id), LONG).toBe('success')
  expect(JSON.parse(String((await runOf(id)).outputs))).toEqual({ sum: 2 })
  const { lines } = await client.call(getRunLogs, { params: { id }, query: { limit: 5000 } })
  const said = lines.map(({ message }) => message).filter((message) => message.startsWith('line '))
  expect(said).toEqual(Array.from({ length: 3000 }, (_, index) => `line ${index}`))
})

test('a program ends with its run that is cancelled, and with its worker that is killed', async () => {
  const first = join(folder, 'first.pid')
  const cancelled = await trigger(program('cancelled', stubborn(first)))
  await expect.poll(() => existsSync(first), LONG).toBe(true)
  await client.call(cancelRun, { params: { id: cancelled } })
  await expect.poll(() => statusOf(cancelled), LONG).toBe('cancelled')
  await expect.poll(() => isGone(Number(readFileSync(first, 'utf8'))), LONG).toBe(true)

  const second = join(folder, 'second.pid')
  const killed = await trigger(program('killed', stubborn(second)))
  await expect.poll(() => existsSync(second), LONG).toBe(true)
  for (const pid of childrenOf(executor.pid!)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => isGone(Number(readFileSync(second, 'utf8'))), LONG).toBe(true)
  await expect.poll(() => statusOf(killed), LONG).toBe('failed')
  expect((await runOf(killed)).error_code).toBe('WORKER_CRASHED')
})
