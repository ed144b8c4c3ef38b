import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/server/platform/data-folder.ts'
import { isGone } from '../support/processes.ts'
import { type ServerProcess, type ServerProcessOptions, spawnServer } from '../support/server-process.ts'
import { openSse } from '../support/sse.ts'

const admin = { SVC_ADMIN_USERNAME: 'ada', SVC_ADMIN_PASSWORD: 'canary-password' }
let dataDir: string
let started: ServerProcess[]
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'headgate-test-')), 'data')
  started = []
})
afterEach(async () => {
  for (const server of started) server.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
})

function start(options: ServerProcessOptions = {}): ServerProcess {
  const server = spawnServer(dataDir, { ...options, args: ['--port', '0', '--no-executor', ...(options.args ?? [])] })
  started.push(server)
  return server
}
/** Waits for a server that must refuse to start. */
async function refusal(options: ServerProcessOptions = {}): Promise<string> {
  const server = start(options)
  const { code } = await server.exited
  expect(code).toBe(1)
  expect(server.stdout).toEqual([])
  const plain = server.stderr.filter((line) => !line.startsWith('{'))
  expect(plain).toHaveLength(1)
  return plain[0]!
}
const endpoint = () => JSON.parse(readFileSync(join(dataDir, 'endpoint.json'), 'utf8')) as Endpoint
async function signedIn(server: ServerProcess): Promise<{ cookie: string; origin: string }> {
  const client = await server.client()
  const answer = await client.post('/api/auth/login', {
    username: admin.SVC_ADMIN_USERNAME,
    password: admin.SVC_ADMIN_PASSWORD,
  })
  return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, origin: (await server.ready).url }
}

test('says on stdout in one line where it is, logs JSON on stderr, and leaves its address in endpoint.json', async () => {
  const server = start({ env: admin })
  const ready = await server.ready
  expect(ready).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: server.pid,
    version: expect.any(String),
  })
  expect(endpoint()).toMatchObject({ url: ready.url, pid: server.pid, version: ready.version })
  expect(statSync(join(dataDir, 'endpoint.json')).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect((await (await server.client()).get('/api/health')).status).toBe(200)
  await signedIn(server)
  server.kill('SIGTERM')
  expect(await server.exited).toEqual({ code: 0, signal: null })
  expect(server.stdout).toHaveLength(1)
  expect(server.stderr.length).toBeGreaterThan(2)
  for (const line of server.stderr)
    expect(JSON.parse(line)).toMatchObject({ level: 'info', time: expect.any(String), msg: expect.any(String) })
  expect(server.stderr.join('\n')).not.toContain('canary')
  expect(existsSync(join(dataDir, 'endpoint.json'))).toBe(false)
  expect(existsSync(join(dataDir, 'headgate.db-wal'))).toBe(false)
})

test('a second server on the same folder is refused with the pid and address of the first, and another folder is free', async () => {
  const first = start()
  const { url } = await first.ready
  expect(await refusal()).toBe(
    `headgate: Another Headgate (pid ${first.pid}, ${url}) is using the data folder ${dataDir}. Use that one, end it, or name another folder with --data-dir.`,
  )
  expect(endpoint().pid).toBe(first.pid)
  const elsewhere = spawnServer(join(dataDir, '../other'), { args: ['--port', '0', '--no-executor'] })
  started.push(elsewhere)
  await elsewhere.ready
})

test('after kill -9 the folder is free at once and everything that was answered is there', async () => {
  const first = start({ env: admin })
  const headers = await signedIn(first)
  const client = await first.client(headers)
  const made = []
  for (let i = 0; i < 20; i++) {
    const answer = await client.post('/api/api-keys', { name: `key ${i}` })
    expect(answer.status).toBe(201)
    made.push((answer.body as { key: string }).key)
  }
  first.kill('SIGKILL')
  await first.exited
  expect(endpoint().pid).toBe(first.pid)
  const second = start()
  await second.ready
  expect(endpoint().pid).toBe(second.pid)
  for (const key of made) {
    expect((await (await second.client({ authorization: `Bearer ${key}` })).get('/api/auth/me')).status).toBe(200)
  }
})

test('a drain ends streams, lets no new request in, and takes less than ten seconds', async () => {
  const server = start({ env: admin })
  const headers = await signedIn(server)
  const { url } = await server.ready
  const stream = await openSse(`${url}/api/events`, headers)
  expect(stream.status).toBe(200)
  const begun = performance.now()
  server.kill('SIGTERM')
  server.kill('SIGTERM')
  await stream.ended
  expect(await server.exited).toEqual({ code: 0, signal: null })
  expect(performance.now() - begun).toBeLessThan(10_000)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('Ctrl-C in a terminal drains, too', async () => {
  const server = start()
  await server.ready
  server.kill('SIGINT')
  expect(await server.exited).toEqual({ code: 0, signal: null })
})

test('a port that is taken stops headless with a clear line, and the desktop takes a free one', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const line = await refusal({ args: ['--port', String(port)] })
  expect(line).toBe(
    `headgate: Port ${port} is taken by another program. Choose another with --port N (or SVC_PORT), or --port 0 for any free one.`,
  )
  expect(existsSync(join(dataDir, 'endpoint.json'))).toBe(false)
  const desktop = start({ args: ['--port', String(port), '--desktop'] })
  expect((await desktop.ready).url).not.toContain(`:${port}`)
  other.close()
})

test.each([
  ['--prot', /^headgate: --prot: unknown argument/],
  ['--port=x', /^headgate: --port: "x" is not a whole number/],
])('the argument %s stops with what is wrong', async (arg, expected) => {
  expect(await refusal({ args: [arg] })).toMatch(expected)
})

test('a bad value in config.yaml stops with file, line and reason, and the store is not touched', async () => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'config.yaml'), 'auth:\n  totp_required: perhaps\n')
  expect(await refusal()).toBe(
    `headgate: config.yaml:2:18 auth.totp_required: "perhaps" is neither true nor false; give true or false (in ${join(dataDir, 'config.yaml')})`,
  )
  expect(existsSync(join(dataDir, 'headgate.db'))).toBe(false)
})

test('a data folder that cannot be written is a clear line', async () => {
  mkdirSync(join(dataDir, '..'), { recursive: true })
  writeFileSync(dataDir, 'a file')
  expect(await refusal()).toMatch(
    /^headgate: The data folder .* cannot be written \(E\w+\)\. Correct its rights, or name another with --data-dir\.$/,
  )
})

test('a damaged database is a clear line and is left as it is', async () => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'secret.key'), 'ab'.repeat(32))
  writeFileSync(join(dataDir, 'headgate.db'), 'garbage'.repeat(1_000))
  expect(await refusal()).toMatch(
    /^headgate: .*headgate\.db is damaged or no Headgate database \(SQLITE_NOTADB\); it was left as it is\./,
  )
  expect(readFileSync(join(dataDir, 'headgate.db'), 'utf8')).toBe('garbage'.repeat(1_000))
})

test('a database whose tables turn out to be damaged is a clear line', async () => {
  const first = start({ env: admin })
  await first.ready
  first.kill('SIGTERM')
  await first.exited
  const file = join(dataDir, 'headgate.db')
  const database = new Database(file, { readonly: true })
  const size = Number(database.pragma('page_size', { simple: true }))
  const pages = database
    .prepare(
      `SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND tbl_name IN ('users', 'runs', 'scheduler', 'triggers')`,
    )
    .pluck()
    .all() as number[]
  database.close()
  const handle = openSync(file, 'r+')
  for (const page of pages) writeSync(handle, Buffer.alloc(size, 0x7f), 0, size, (page - 1) * size)
  closeSync(handle)
  expect(await refusal()).toMatch(/^headgate: .*headgate\.db is damaged or no Headgate database \(SQLITE_CORRUPT/)
})

test('an owner hears of readiness with the executor key, gets launch tokens, and can ask for the end', async () => {
  const server = start({ ipc: true, env: { ...admin, SVC_EXECUTOR_KEY: 'a-shared-executor-key' } })
  const { url, version } = await server.ready
  await expect
    .poll(() => server.messages)
    .toContainEqual({ event: 'ready', url, pid: server.pid, version, executor_key: 'a-shared-executor-key' })
  expect(server.stdout.join('\n')).not.toContain('a-shared-executor-key')
  server.child.send({ type: 'launch-token', id: 41 })
  await expect
    .poll(() => server.messages.find(({ event }) => event === 'launch-token'))
    .toMatchObject({ id: 41, token: expect.any(String) })
  const { token } = server.messages.find(({ event }) => event === 'launch-token')!
  const client = await server.client()
  expect(await client.post('/api/auth/launch', { token })).toMatchObject({ status: 200, body: { authenticated: true } })
  server.child.send({ type: 'drain' })
  expect(await server.exited).toEqual({ code: 0, signal: null })
})

test('an owner is told why there is no launch token, and why a start has failed', async () => {
  const server = start({ ipc: true, env: { SVC_AUTH_DESKTOP_SIGN_IN: 'false' } })
  await server.ready
  server.child.send({ type: 'launch-token', id: 1 })
  await expect
    .poll(() => server.messages.find(({ event }) => event === 'launch-token'))
    .toMatchObject({ id: 1, token: null, message: expect.stringContaining('auth.desktop_sign_in') })
  const second = start({ ipc: true })
  expect((await second.exited).code).toBe(1)
  expect(second.messages).toEqual([{ event: 'failed', message: expect.stringContaining(`pid ${server.pid}`) }])
})

test('an owner that ends takes the server along', async () => {
  const server = start({ ipc: true })
  await server.ready
  server.child.disconnect()
  expect(await server.exited).toEqual({ code: 0, signal: null })
})

test('headless it starts an executor of its own, starts it again when it dies, and ends it with itself', async () => {
  const server = spawnServer(dataDir, { args: ['--port', '0'], env: admin })
  started.push(server)
  const client = await server.client(await signedIn(server))
  const online = async () => {
    const executors = (await client.get('/api/server/executors')).body as { name: string; status: string }[]
    return executors.map(({ name, status }) => `${name} ${status}`)
  }
  const pids = () =>
    server.stderr.flatMap((line) =>
      line.includes('local executor is ready') ? [(JSON.parse(line) as { pid: number }).pid] : [],
    )
  await expect.poll(online, { timeout: 60_000 }).toEqual(['local online'])
  await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(1)
  process.kill(pids()[0]!, 'SIGKILL')
  await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(2)
  const [, second] = pids()
  expect(isGone(second!)).toBe(false)
  server.kill('SIGTERM')
  expect(await server.exited).toEqual({ code: 0, signal: null })
  await expect.poll(() => isGone(second!)).toBe(true)
}, 120_000)

test('an old Node is refused before anything is loaded', () => {
  const entry = fileURLToPath(new URL('../../src/server/start.ts', import.meta.url))
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.19.2' });"
  const script = `${pretend} await import(${JSON.stringify(entry)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stderr).toBe(
    'headgate: Node 20.19.2 is too old, version 22 or newer is needed; `npm run serve` brings its own.\n',
  )
  expect(status).toBe(1)
})

describe('a store that is lost', () => {
  async function used(): Promise<void> {
    const first = start({ env: admin })
    await first.ready
    first.kill('SIGKILL')
    await first.exited
  }
  const store = () => join(dataDir, 'headgate.db')

  test.each(['emptied', 'removed'])('(%s) beside its key is no new installation that anybody may take', async (how) => {
    await used()
    if (how === 'emptied') truncateSync(store())
    else rmSync(store())
    const message = await refusal()
    expect(message).toContain(how === 'emptied' ? 'headgate.db is empty' : 'headgate.db is missing')
    const left = ['secret.key', 'headgate.head'].map((name) => join(dataDir, name))
    expect(message).toContain(`this data folder has been used before: ${left.join(' and ')} are there`)
    expect(message).toMatch(
      /There is no good backup in .*; put a copy of your own in its place, or, to start anew, move/,
    )
    // Nothing was made of it, nor taken away: not the log either.
    expect(existsSync(store()) && statSync(store()).size > 0).toBe(false)
    for (const file of left) rmSync(file)
    expect((await start({ env: admin }).ready).event).toBe('ready')
  })

  test('beside a backup is that backup again with --restore newest', async () => {
    const first = start({ env: admin })
    const { cookie, origin } = await signedIn(first)
    const made = await (await first.client()).with({ cookie, origin }).post('/api/server/backup')
    expect(made.status).toBeLessThan(300)
    first.kill('SIGKILL')
    await first.exited
    rmSync(join(dataDir, 'secret.key'))
    truncateSync(store())
    expect(await refusal()).toContain('start once with `--restore newest`')
    const restored = start({ args: ['--restore', 'newest'] })
    await signedIn(restored)
  })
})
