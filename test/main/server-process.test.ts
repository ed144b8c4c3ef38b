import { describe, expect, test } from 'vitest'
import { startServerProcess, type ServerState } from '../../src/main/processes/server-process.ts'
import { words } from '../../src/main/words.ts'
import { fakeForker } from './fake-child.ts'

const CONFIG = {
  dataDir: '/data',
  userDataDir: '/data/window',
  port: undefined,
  serviceEnv: { SVC_ADMIN_USERNAME: 'ada' },
}
const READY = { event: 'ready', url: 'http://127.0.0.1:4717', pid: 1, version: '1', executor_key: 'key' }

function started(port?: string, language = 'en') {
  const { forker, children } = fakeForker()
  const restarts: (() => void)[] = []
  const timers = {
    now: () => 0,
    after(_ms: number, callback: () => void) {
      restarts.push(callback)
      return () => void restarts.splice(restarts.indexOf(callback), 1)
    },
  }
  const logged: string[] = []
  const server = startServerProcess({
    forker,
    entry: '/app/server.js',
    config: { ...CONFIG, port },
    logTail: () => ['the last words'],
    log: (text) => logged.push(text),
    words: () => words(language),
    keychain: () => Promise.resolve({ type: 'keychain', id: 7, text: 'its answer' }),
    supervision: { timers },
    hanging: { cpuSeconds: () => undefined },
  })
  const states: ServerState[] = []
  server.onState((state) => states.push(state))
  const restart = (): void => restarts.splice(0).forEach((callback) => callback())
  return { server, children, states, logged, restart, last: () => children.at(-1)! }
}

describe('startServerProcess', () => {
  test('starts the server with its folder and its variables', () => {
    const { children } = started('4800')
    expect(children[0]!.entry).toBe('/app/server.js')
    expect(children[0]!.options.args).toEqual(['--data-dir', '/data', '--desktop', '--no-executor', '--port', '4800'])
    expect(children[0]!.options.env).toEqual({ SVC_ADMIN_USERNAME: 'ada' })
  })

  test('is ready with the origin and the key of the ready message', () => {
    const { server, last, states } = started()
    last().say(READY)
    expect(server.state).toEqual({ name: 'ready', url: 'http://127.0.0.1:4717', executorKey: 'key' })
    expect(states).toEqual([server.state])
  })

  test('what the server asks of the keychain is answered to it alone', async () => {
    const { last } = started()
    last().say({ event: 'keychain', id: 7, action: 'look', text: '' })
    await expect.poll(() => last().sent).toEqual([{ type: 'keychain', id: 7, text: 'its answer' }])
  })

  test('after a crash asks for the port it had, so that its address stays', async () => {
    const { last, states, restart, logged } = started()
    last().say({ ...READY, url: 'http://127.0.0.1:53211' })
    last().end({ code: null, signal: 'SIGKILL' })
    await expect.poll(() => states.at(-1)).toEqual({ name: 'starting' })
    expect(logged).toEqual(['headgate: the server ended (signal SIGKILL); it is started again in 250 ms\n'])
    restart()
    expect(last().options.args?.slice(-2)).toEqual(['--port', '53211'])
  })

  test('stops at what the server says is wrong, and tries again when told', async () => {
    const { server, children, last, states } = started()
    last().say({ event: 'failed', message: 'The data folder is in use.' })
    last().end()
    await expect
      .poll(() => server.state)
      .toEqual({ name: 'failed', message: 'The data folder is in use.', details: [] })
    server.retry()
    expect(children).toHaveLength(2)
    expect(states.at(-1)).toEqual({ name: 'starting' })
    last().say(READY)
    expect(server.state.name).toBe('ready')
  })

  test('restores what a failed start has offered, in one start alone', async () => {
    const { server, children, last } = started()
    server.restore()
    expect(children).toHaveLength(1)
    const restore = { name: 'good.db', created_at: '2026-03-01T08:30:00.000Z' }
    last().say({ event: 'failed', message: 'The store is damaged.', restore })
    last().end()
    await expect.poll(() => server.state).toMatchObject({ name: 'failed', restore })
    server.restore()
    expect(children).toHaveLength(2)
    expect(last().options.args?.slice(-2)).toEqual(['--restore', 'good.db'])
    last().say({ event: 'failed', message: 'No.', restore: { name: 7 } })
    last().end()
    await expect.poll(() => server.state).toEqual({ name: 'failed', message: 'No.', details: [] })
    server.retry()
    expect(last().options.args).not.toContain('--restore')
  })

  test('continues without lost changes once the user accepts them, in one start alone', async () => {
    const { server, children, last } = started()
    server.acceptLoss()
    expect(children).toHaveLength(1)
    last().say({ event: 'failed', message: 'Changes were lost.', accept: '42' })
    last().end()
    await expect.poll(() => server.state).toMatchObject({ name: 'failed', accept: '42' })
    server.acceptLoss()
    expect(last().options.args?.slice(-2)).toEqual(['--accept-loss', '42'])
    last().say({ event: 'failed', message: 'No.', accept: 7 })
    last().end()
    await expect.poll(() => server.state).toEqual({ name: 'failed', message: 'No.', details: [] })
    server.retry()
    expect(last().options.args).not.toContain('--accept-loss')
  })

  test('gives up after five starts without a ready message, and shows the end of the log', async () => {
    const { server, children, last, restart } = started()
    for (let start = 1; start <= 5; start++) {
      expect(children).toHaveLength(start)
      last().end({ code: 134, signal: null })
      await Promise.resolve()
      restart()
    }
    const message = 'The server exited 5 times before it was ready (exit code 134).'
    expect(server.state).toEqual({ name: 'failed', message, details: ['the last words'] })
    expect(children).toHaveLength(5)
  })

  test('says in the language of the window what it says itself', async () => {
    const { server, last, restart } = started(undefined, 'de')
    await expect(server.launchToken()).rejects.toThrow('Der Server ist noch nicht bereit')
    for (let start = 1; start <= 5; start++) {
      last().end({ code: null, signal: 'SIGSEGV' })
      await Promise.resolve()
      restart()
    }
    const message = 'Der Server endete 5-mal, bevor er bereit war (Signal SIGSEGV).'
    expect(server.state).toMatchObject({ name: 'failed', message })
  })

  test('refuses a ready message that lacks its parts', async () => {
    const { server, last } = started()
    last().say({ ...READY, executor_key: undefined })
    expect(last().kills).toEqual(['SIGKILL'])
    await expect.poll(() => server.state.name).toBe('failed')
  })

  test('a drained server is not reported as failed', async () => {
    const { server, last, states } = started()
    last().say(READY)
    const drained = server.drain()
    expect(last().sent).toEqual([{ type: 'drain' }])
    last().end({ code: 0, signal: null })
    await drained
    expect(states.map(({ name }) => name)).toEqual(['ready'])
  })
})

describe('launchToken', () => {
  test('gives each request its own answer', async () => {
    const { server, last } = started()
    last().say(READY)
    const both = Promise.all([server.launchToken(), server.launchToken()])
    expect(last().sent).toEqual([
      { type: 'launch-token', id: 1 },
      { type: 'launch-token', id: 2 },
    ])
    last().say({ event: 'launch-token', id: 2, token: 'second' })
    last().say({ event: 'launch-token', id: 1, token: 'first' })
    expect(await both).toEqual(['first', 'second'])
  })

  test('says that the setting is off when there is no token', async () => {
    const { server, last } = started()
    last().say(READY)
    const token = server.launchToken()
    last().say({ event: 'launch-token', id: 1, token: null })
    await expect(token).rejects.toThrow('auth.desktop_sign_in')
  })

  test('fails when the server is not ready, or ends before it answers', async () => {
    const { server, last } = started()
    await expect(server.launchToken()).rejects.toThrow('isn’t ready')
    last().say(READY)
    const token = server.launchToken()
    last().end()
    await expect(token).rejects.toThrow('exited before it responded')
  })
})
