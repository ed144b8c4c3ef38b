import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExitLatch, forkNode, type ChildHandle, type ExitInfo, type Forker } from '../../src/process/child.ts'
import type { ParentChannel } from '../../src/process/parent.ts'
import { brokerForks, relayForker, workerForker } from '../../src/process/relay.ts'
import { exitOf, messageReader } from './next-message.ts'

const ECHO = join(import.meta.dirname, 'children', 'echo.ts')

/** Both ends of a channel between main and a utility process, in one process; messages are cloned as in earnest. */
function linkedChannel() {
  const toChild: ((message: unknown) => void)[] = []
  const toParent: ((message: unknown) => void)[] = []
  const disconnected: (() => void)[] = []
  const latch = new ExitLatch()
  const deliver = (listeners: ((message: unknown) => void)[], message: unknown): boolean => {
    if (latch.exit) return false
    const clone: unknown = structuredClone(message)
    queueMicrotask(() => listeners.forEach((listener) => listener(clone)))
    return true
  }
  const parentSide: ChildHandle = {
    pid: process.pid,
    send: (message) => deliver(toChild, message),
    onMessage: (listener) => void toParent.push(listener),
    onExit: (listener) => latch.onExit(listener),
    kill: () => {},
  }
  const childSide: ParentChannel = {
    kind: 'electron',
    send: (message) => deliver(toParent, message),
    deliver: async (message) => void deliver(toParent, message),
    onMessage: (listener) => void toChild.push(listener),
    onDisconnect: (listener) => void disconnected.push(listener),
  }
  const close = (): void => {
    latch.settle({ code: null, signal: 'SIGKILL' })
    for (const listener of disconnected) listener()
  }
  return { parentSide, childSide, close }
}

const started: ChildHandle[] = []
const recordingForker: Forker = (entry, options) => {
  const child = forkNode(entry, options)
  started.push(child)
  return child
}

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    await exitOf(child)
  }
})

test('a relayed worker looks like one that was forked directly', async () => {
  const { parentSide, childSide } = linkedChannel()
  brokerForks(parentSide, recordingForker, [ECHO])
  let printed = ''
  const worker = relayForker(childSide)(ECHO, {
    name: 'worker 1',
    args: ['one'],
    env: { HEADGATE_TEST: 'yes' },
    output: (text) => (printed += text),
  })
  const next = messageReader(worker)
  expect(await next()).toEqual({ event: 'ready', channel: 'node' })
  expect(worker.pid).toBe(started[0]!.pid)
  worker.send({ do: 'echo', value: new Map([[1, 2n]]) })
  expect(await next()).toEqual({ echo: new Map([[1, 2n]]) })
  worker.send({ do: 'describe' })
  expect(await next()).toMatchObject({ args: ['one'], env: { HEADGATE_TEST: 'yes' } })
  worker.send({ do: 'print' })
  worker.send({ do: 'exit', code: 3 })
  expect(await exitOf(worker)).toEqual({ code: 3, signal: null })
  expect(printed).toContain('to stdout')
  expect(worker.send({ do: 'echo' })).toBe(false)
})

test('two relayed workers do not hear each other', async () => {
  const { parentSide, childSide } = linkedChannel()
  brokerForks(parentSide, recordingForker, [ECHO])
  const fork = relayForker(childSide)
  const [first, second] = [fork(ECHO, { name: 'worker 1' }), fork(ECHO, { name: 'worker 2' })]
  const [nextFirst, nextSecond] = [messageReader(first), messageReader(second)]
  await Promise.all([nextFirst(), nextSecond()])
  first.send({ do: 'echo', value: 1 })
  second.send({ do: 'echo', value: 2 })
  expect(await nextSecond()).toEqual({ echo: 2 })
  expect(await nextFirst()).toEqual({ echo: 1 })
  first.kill('SIGKILL')
  expect(await exitOf(first)).toEqual({ code: null, signal: 'SIGKILL' })
  second.send({ do: 'echo', value: 3 })
  expect(await nextSecond()).toEqual({ echo: 3 })
})

test('only the modules that are allowed are started', async () => {
  const { parentSide, childSide } = linkedChannel()
  brokerForks(parentSide, recordingForker, [ECHO])
  const exit = await exitOf(relayForker(childSide)('/tmp/other.js', { name: 'other' }))
  expect(exit.error?.message).toContain('Refused to start /tmp/other.js')
  expect(started).toEqual([])
})

test('workers are killed when the process they work for ends', async () => {
  const { parentSide, childSide, close } = linkedChannel()
  brokerForks(parentSide, recordingForker, [ECHO])
  const worker = relayForker(childSide)(ECHO, { name: 'worker 1' })
  await messageReader(worker)()
  close()
  expect((await exitOf(worker)).error?.message).toContain('is gone')
  expect(await exitOf(started[0]!)).toEqual({ code: null, signal: 'SIGKILL' } satisfies ExitInfo)
})

test('a fork after the parent is gone ends at once', async () => {
  const { childSide, close } = linkedChannel()
  const fork = relayForker(childSide)
  close()
  expect((await exitOf(fork(ECHO, { name: 'late' }))).error?.message).toContain('is gone')
})

test('workers are forked directly under Node and through main under Electron', async () => {
  expect(workerForker(null)).toBe(forkNode)
  expect(workerForker(linkedChannel().childSide)).not.toBe(forkNode)
})
