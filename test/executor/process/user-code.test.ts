// Code of users in real workers: an executor against the server itself.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelRun, getRunLogs } from '../../../src/contract/runs.ts'
import { childrenOf, isGone } from '../../support/processes.ts'
import { startRealWorld, type RealWorld } from './real-world.ts'

const LONG = { timeout: 60_000, interval: 20 }
let world: RealWorld

beforeAll(async () => {
  world = await startRealWorld({ HEADGATE_EXECUTOR_COMMANDS: '/bin/sh' })
})
beforeEach(async () => {
  await expect.poll(() => world.online(), LONG).toBe('online')
})
afterAll(() => world?.close())

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
  const mapped = await world.trigger(pipeline('mapped', `map: '{"id": id, "twice": id * 2}'`), {
    files: world.connector,
  })
  await expect.poll(() => world.statusOf(mapped), LONG).toBe('success')
  expect(readFileSync(join(world.folder, 'mapped.jsonl'), 'utf8')).toBe('{"id":1,"twice":2.0}\n{"id":2,"twice":4.0}\n')
  const endless = `map: {expression: '($f := function($n) {$f($n)}; {"x": $f(1)})', timeout: 10m}`
  const cancelled = await world.trigger(pipeline('endless', endless), { files: world.connector })
  await expect.poll(() => world.statusOf(cancelled), LONG).toBe('running')
  await world.client.call(cancelRun, { params: { id: cancelled } })
  await expect.poll(() => world.statusOf(cancelled), LONG).toBe('cancelled')
  const workers = childrenOf(world.executor().pid!)
  const bomb = `map: '($f := function($l) {$f($append($l, $l))}; {"x": $f([1, 2, 3])})'`
  const bombed = await world.trigger(pipeline('bomb', bomb), { files: world.connector })
  await expect.poll(() => world.statusOf(bombed), LONG).toBe('failed')
  expect(await world.runOf(bombed)).toMatchObject({ error_code: 'EXPRESSION_FAILED' })
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
  const id = await world.trigger(yaml)
  await expect.poll(() => world.statusOf(id), LONG).toBe('success')
  expect(JSON.parse(String((await world.runOf(id)).outputs))).toEqual({ sum: 2 })
  const { lines } = await world.client.call(getRunLogs, { params: { id }, query: { limit: 5000 } })
  const said = lines.map(({ message }) => message).filter((message) => message.startsWith('line '))
  expect(said).toEqual(Array.from({ length: 3000 }, (_, index) => `line ${index}`))
})

test('a program ends with its run that is cancelled, and with its worker that is killed', async () => {
  const first = join(world.folder, 'first.pid')
  const cancelled = await world.trigger(program('cancelled', stubborn(first)))
  await expect.poll(() => existsSync(first), LONG).toBe(true)
  await world.client.call(cancelRun, { params: { id: cancelled } })
  await expect.poll(() => world.statusOf(cancelled), LONG).toBe('cancelled')
  await expect.poll(() => isGone(Number(readFileSync(first, 'utf8'))), LONG).toBe(true)

  const second = join(world.folder, 'second.pid')
  const killed = await world.trigger(program('killed', stubborn(second)))
  await expect.poll(() => existsSync(second), LONG).toBe(true)
  for (const pid of childrenOf(world.executor().pid!)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => isGone(Number(readFileSync(second, 'utf8'))), LONG).toBe(true)
  await expect.poll(() => world.statusOf(killed), LONG).toBe('failed')
  expect((await world.runOf(killed)).error_code).toBe('WORKER_CRASHED')
})
