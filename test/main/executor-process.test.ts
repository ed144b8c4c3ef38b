import { expect, test } from 'vitest'
import { startExecutorProcess } from '../../src/main/processes/executor-process.ts'
import type { ServerState } from '../../src/main/processes/server-process.ts'
import { fakeForker } from './fake-child.ts'

function started() {
  const { forker, children } = fakeForker()
  let tell: (state: ServerState) => void = () => {}
  const executor = startExecutorProcess({
    forker,
    entry: '/app/executor.js',
    workerEntry: '/app/worker.js',
    server: { onState: (listener) => (tell = listener) },
    log: () => {},
    hanging: { cpuSeconds: () => undefined },
  })
  return { executor, children, tell: (state: ServerState) => tell(state) }
}

const ready = (url: string, executorKey = 'key'): ServerState => ({ name: 'ready', url, executorKey })

test('the executor starts with the first ready server, its key in the environment and not in the arguments', () => {
  const { children, tell } = started()
  tell({ name: 'starting' })
  expect(children).toEqual([])
  tell(ready('http://127.0.0.1:1', 'secret'))
  expect(children[0]!.options.args).toEqual(['--url', 'http://127.0.0.1:1', '--name', 'local'])
  expect(children[0]!.options.env).toEqual({ SVC_EXECUTOR_KEY: 'secret' })
})

test('a server that comes back at the same address keeps its executor', () => {
  const { children, tell } = started()
  tell(ready('http://127.0.0.1:1'))
  tell({ name: 'starting' })
  tell(ready('http://127.0.0.1:1'))
  expect(children).toHaveLength(1)
  expect(children[0]!.sent).toEqual([])
})

test('a server that has moved gets a new executor, after the old one has drained', async () => {
  const { children, tell } = started()
  tell(ready('http://127.0.0.1:1'))
  tell(ready('http://127.0.0.1:2'))
  expect(children[0]!.sent).toEqual([{ type: 'drain' }])
  children[0]!.end({ code: 0, signal: null })
  await expect.poll(() => children.length).toBe(2)
  expect(children[1]!.options.args).toContain('http://127.0.0.1:2')
})

test('the executor may have workers started, and nothing else', () => {
  const { children, tell } = started()
  tell(ready('http://127.0.0.1:1'))
  const ask = { type: 'fork', id: 1, name: 'worker 1', args: [], env: {}, execArgv: [], output: 'stderr' }
  children[0]!.say({ ...ask, entry: '/app/worker.js' })
  expect(children[1]!.entry).toBe('/app/worker.js')
  children[0]!.say({ ...ask, id: 2, entry: '/bin/sh' })
  expect(children).toHaveLength(2)
})

test('nothing starts after a drain', async () => {
  const { executor, children, tell } = started()
  await executor.drain()
  tell(ready('http://127.0.0.1:1'))
  expect(children).toEqual([])
})
