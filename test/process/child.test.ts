import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { childEnvironment, forkNode, type ChildHandle, type ForkOptions } from '../../src/process/child.ts'
import { isGone } from '../support/processes.ts'
import { exitOf, messageReader } from './next-message.ts'

const CHILDREN = join(import.meta.dirname, 'children')
const started: ChildHandle[] = []

function startEcho(options: Partial<ForkOptions> = {}): ChildHandle {
  const child = forkNode(join(CHILDREN, 'echo.ts'), { name: 'echo', ...options })
  started.push(child)
  return child
}

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    await exitOf(child)
  }
})

describe('forkNode', () => {
  test('carries values of the structured clone both ways', async () => {
    const child = startEcho()
    const next = messageReader(child)
    expect(await next()).toEqual({ event: 'ready', channel: 'node' })
    const value = { at: new Date(0), big: 2n ** 60n, bytes: new Uint8Array([1, 2]), map: new Map([['a', null]]) }
    child.send({ do: 'echo', value })
    expect(await next()).toEqual({ echo: value })
  })

  test('passes arguments, node options and the environment on, but no SVC_ variable that is not named', async () => {
    process.env.SVC_ADMIN_PASSWORD = 'canary'
    process.env.HEADGATE_TEST_INHERITED = 'yes'
    try {
      const child = startEcho({
        args: ['--url', 'http://127.0.0.1:1'],
        env: { SVC_EXECUTOR_KEY: 'key', HOME: undefined },
        execArgv: ['--max-old-space-size=64'],
      })
      const next = messageReader(child)
      await next()
      child.send({ do: 'describe' })
      const told = (await next()) as { args: string[]; env: Record<string, string>; execArgv: string[] }
      expect(told.args).toEqual(['--url', 'http://127.0.0.1:1'])
      expect(told.execArgv).toEqual(['--max-old-space-size=64'])
      expect(told.env).toMatchObject({ SVC_EXECUTOR_KEY: 'key', HEADGATE_TEST_INHERITED: 'yes' })
      expect(told.env).not.toHaveProperty('SVC_ADMIN_PASSWORD')
      expect(told.env).not.toHaveProperty('HOME')
    } finally {
      delete process.env.SVC_ADMIN_PASSWORD
      delete process.env.HEADGATE_TEST_INHERITED
    }
  })

  test('tells the exit code, also to a listener that comes after the end', async () => {
    const child = startEcho()
    child.send({ do: 'exit', code: 7 })
    expect(await exitOf(child)).toEqual({ code: 7, signal: null })
    expect(await exitOf(child)).toEqual({ code: 7, signal: null })
    expect(child.send({ do: 'echo' })).toBe(false)
  })

  test('tells the exit only after the last message', async () => {
    const child = startEcho()
    const heard: unknown[] = []
    child.onMessage((message) => heard.push((message as { n?: unknown }).n))
    child.send({ do: 'flood', count: 2_000 })
    await exitOf(child)
    expect(heard).toHaveLength(2_002)
    expect(heard.at(-1)).toBe('last')
  })

  test('kills a child that does not listen', async () => {
    const child = startEcho()
    await messageReader(child)()
    child.kill('SIGKILL')
    expect(await exitOf(child)).toEqual({ code: null, signal: 'SIGKILL' })
  })

  test('gives the output of the child to a listener, and all of it before the exit', async () => {
    let text = ''
    const child = startEcho({ output: (chunk) => (text += chunk) })
    child.send({ do: 'print' })
    child.send({ do: 'exit', code: 0 })
    await exitOf(child)
    expect(text).toContain('to stdout')
  })

  test('reports a module that is not there as an exit, not as an exception', async () => {
    const child = forkNode(join(CHILDREN, 'missing.ts'), { name: 'missing', output: 'ignore' })
    expect((await exitOf(child)).code).toBe(1)
  })

  test('leaves no orphan when the owner is killed', async () => {
    const owner = forkNode(join(CHILDREN, 'owner.ts'), { name: 'owner' })
    started.push(owner)
    const { grandchild } = (await messageReader(owner)()) as { grandchild: number }
    expect(isGone(grandchild)).toBe(false)
    owner.kill('SIGKILL')
    await expect.poll(() => isGone(grandchild), { timeout: 60_000 }).toBe(true)
  })
})

describe('childEnvironment', () => {
  test('takes SVC_ variables away in any case of letters, and undefined ones', () => {
    const env = childEnvironment({ PATH: '/bin', svc_key: 'x', SVC_PORT: '1', NOTHING: undefined }, { SVC_PORT: '2' })
    expect(env).toEqual({ PATH: '/bin', SVC_PORT: '2' })
  })
})
