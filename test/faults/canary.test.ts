// Secrets are planted through every door, used, made to fail, and looked for everywhere: in no encoding may one come out
// where it is not shown on purpose.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { codeAt } from '../support/totp.ts'
import { type Aviary, createAviary } from './support/canary.ts'
import { channelsWithSecrets, connectorsWithSecrets, taskFor } from './support/canary-doors.ts'
import { startEcho } from './support/echo-http.ts'

interface Reply<T = Record<string, unknown>> {
  status: number
  headers: Headers
  body: T
}
interface Asking {
  body?: unknown
  headers?: Record<string, string>
  /** Names of the canaries that the answer is there to show. */
  shows?: string[]
}

/** A caller whose every answer is seen. */
function callerOf(aviary: Aviary, url: string, credentials: Record<string, string>) {
  return async <T = Record<string, unknown>>(method: string, path: string, asking: Asking = {}): Promise<Reply<T>> => {
    const { body, headers, shows = [] } = asking
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(new URL(path, url), {
      method,
      headers: { origin: url, ...type, ...credentials, ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const head = [...response.headers].map((pair) => pair.join(': ')).join('\n')
    const where = `${method} ${path.split('/').slice(0, 4).join('/')} (${response.status})`
    aviary.saw(`head of ${where}`, head, new Set(shows))
    aviary.saw(`answer of ${where}`, bytes, new Set(shows))
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    // Answers are looked at by tests of their own.
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(bytes.toString()) : {}) as T,
    }
  }
}
type Ask = ReturnType<typeof callerOf>

const cookieOf = ({ headers }: Pick<Reply, 'headers'>) =>
  headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0]!)
    .join('; ')

test('no secret comes out: not in the store, a file, a log, a bundle, a backup, an answer, an argument or a crash', async () => {
  const aviary = createAviary()
  const { plant } = aviary
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-canary-'))
  const echo = await startEcho(plant('access token').replaceAll(/[^!-~]/g, ''))
  const env = {
    SVC_EXECUTOR_KEY: plant('executor key').replaceAll(/\W/g, ''),
    SVC_LOG_LEVEL: 'debug',
    SVC_AUTH_TOTP_REQUIRED: 'true',
  }
  const started: ServerProcess[] = []
  onTestFinished(async () => {
    for (const one of started) one.kill('SIGKILL')
    await echo.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  async function start() {
    const server = spawnServer(dataDir, { args: ['--port', '0'], env, ipc: true })
    started.push(server)
    return { server, url: (await server.ready).url }
  }
  const seeProcesses = ({ pid }: ServerProcess) => aviary.sawProcesses(pid, 'executor key')

  const first = await start()
  const nobody = callerOf(aviary, first.url, {})
  const cookie = await signInEverywhere(aviary, nobody, first)
  const root = callerOf(aviary, first.url, { cookie })
  const key = await apiKey(aviary, root)
  const byKey = callerOf(aviary, first.url, { authorization: `Bearer ${key}` })
  await settings(aviary, root)
  await vi.waitUntil(async () => {
    const { body } = await root<{ status: string }[]>('GET', '/api/server/executors')
    return body.some(({ status }) => status === 'online')
  })
  await mistakes(aviary, root, nobody)
  await useChannels(aviary, root, echo.url)
  await useConnectors(aviary, byKey, echo.url, dataDir, () => seeProcesses(first.server))
  await useHook(aviary, byKey, nobody)
  expect((await root('POST', '/api/server/rotate-key')).status).toBe(200)
  expect((await root('POST', '/api/server/backup')).status).toBe(201)
  await readEverything(root)
  seeProcesses(first.server)
  first.server.kill('SIGKILL')
  await first.server.exited
  aviary.sawFolder(dataDir)

  const second = await start()
  await readEverything(callerOf(aviary, second.url, { authorization: `Bearer ${key}` }))
  seeProcesses(second.server)
  second.server.kill('SIGTERM')
  await second.server.exited
  aviary.sawFolder(dataDir)
  for (const { stdout, stderr } of started) {
    aviary.saw('stdout', stdout.join('\n'))
    aviary.saw('stderr', stderr.join('\n'))
  }
  expect(aviary.names().length).toBeGreaterThan(40)
  expect(aviary.escaped()).toEqual([])
}, 240_000)

/** Passwords, sessions, second factor, recovery codes, launch token. Gives the cookie of a full session. */
async function signInEverywhere({ plant, know }: Aviary, ask: Ask, { server }: { server: ServerProcess }) {
  const account = { username: 'ada', password: plant('first password') }
  const made = await ask('POST', '/api/auth/bootstrap', { body: account, shows: ['session 1'] })
  expect(made.status).toBe(201)
  know('session 1', tokenOf(cookieOf(made)))
  const wrong = { username: 'ada', password: plant('wrong password') }
  expect((await ask('POST', '/api/auth/login', { body: wrong })).status).toBe(401)
  const setup = await ask<{ secret: string }>('POST', '/api/auth/setup-totp', {
    headers: { cookie: cookieOf(made) },
    shows: ['seed', 'seed as bytes'],
  })
  const { secret } = setup.body
  know('seed', secret)
  know('seed as bytes', fromBase32(secret))
  const codes = Array.from({ length: 20 }, (_, at) => `recovery code ${at}`)
  const verified = await ask<{ recovery_codes: string[] }>('POST', '/api/auth/verify-totp', {
    headers: { cookie: cookieOf(made) },
    body: { code: codeAt(secret, new Date()) },
    shows: ['session 2', ...codes],
  })
  expect(verified.status).toBe(200)
  know('session 2', tokenOf(cookieOf(verified)))
  verified.body.recovery_codes.forEach((code, at) => know(codes[at]!, code))
  const password = plant('new password')
  const changed = await ask('POST', '/api/users/me/password', {
    body: { current_password: account.password, new_password: password },
    headers: { cookie: cookieOf(verified) },
    shows: ['session 3'],
  })
  expect(changed.status).toBe(200)
  know('session 3', tokenOf(cookieOf(changed)))
  // With a recovery code, as somebody without his telephone.
  const half = await ask('POST', '/api/auth/login', { body: { username: 'ada', password }, shows: ['session 4'] })
  know('session 4', tokenOf(cookieOf(half)))
  const whole = await ask('POST', '/api/auth/verify-totp', {
    headers: { cookie: cookieOf(half) },
    body: { code: verified.body.recovery_codes[0] },
    shows: ['session 5'],
  })
  expect(whole.status).toBe(200)
  know('session 5', tokenOf(cookieOf(whole)))
  const user = { username: 'grace', role: 'editor', password: plant('given password') }
  expect((await ask('POST', '/api/users', { headers: { cookie: cookieOf(whole) }, body: user })).status).toBe(201)

  server.child.send({ type: 'launch-token', id: 1 })
  const token = await vi.waitUntil(() => server.messages.find(({ event }) => event === 'launch-token')?.['token'])
  know('launch token', String(token))
  const launched = await ask('POST', '/api/auth/launch', { body: { token }, shows: ['session 6'] })
  know('session 6', tokenOf(cookieOf(launched)))
  return cookieOf(whole)
}

async function apiKey({ know }: Aviary, ask: Ask): Promise<string> {
  const asking = { body: { name: 'canary' }, headers: { 'idempotency-key': 'canary-key' }, shows: ['API key'] }
  const { status, body } = await ask<{ key: string }>('POST', '/api/api-keys', asking)
  expect(status).toBe(201)
  know('API key', body.key)
  return body.key
}

async function settings({ plant }: Aviary, ask: Ask) {
  const values = { 'ai.api_key': plant('AI key').replaceAll(/[^!-~]/g, '') }
  const { status, body } = await ask('PUT', '/api/server/config', { body: { values } })
  expect(status, JSON.stringify(body)).toBe(200)
}

/** Secrets in the wrong place: what refuses them must not repeat them. */
async function mistakes({ plant }: Aviary, root: Ask, nobody: Ask) {
  const postgres = { name: 'wrong', type: 'postgres', config: { host: 'h', database: 'd', user: 'u' } }
  const refused = [
    await root('POST', '/api/connectors', { body: { ...postgres, secrets: { pasword: plant('misnamed') } } }),
    await root('POST', '/api/connectors', { body: { ...postgres, secrets: { password: [plant('in a list')] } } }),
    await root('POST', '/api/connectors', { body: { ...postgres, secrets: plant('no object') } }),
    await root('POST', '/api/connectors', { body: `{"secrets": {"password": "${plant('broken JSON').slice(0, 20)}` }),
    await root('POST', '/api/connectors', {
      body: { ...postgres, type: 's3', secrets: { secret_access_key: plant('too long').repeat(200) } },
    }),
    await root('POST', '/api/users', { body: { username: '', role: 'viewer', password: plant('of nobody') } }),
    await root('PUT', '/api/server/config', { body: { values: { 'ai.api_key': [plant('bad setting')] } } }),
    await nobody('GET', '/api/tasks', {
      headers: { authorization: `Bearer ${plant('wrong key').replaceAll(/\W/g, '')}` },
    }),
    await nobody('POST', `/api/hooks/${encodeURIComponent(plant('wrong hook'))}`, { body: {} }),
    await nobody('POST', '/api/auth/launch', { body: { token: plant('wrong launch token') } }),
  ]
  expect(refused.map(({ status }) => status).filter((status) => status < 400 || status >= 500)).toEqual([])
}

async function useChannels(aviary: Aviary, ask: Ask, echo: string) {
  for (const body of channelsWithSecrets(aviary, echo)) {
    const { status, body: made } = await ask<{ id: number }>('POST', '/api/notifications', { body })
    expect(status, JSON.stringify(made)).toBe(201)
    expect((await ask('POST', `/api/notifications/${made.id}/test`)).body).toMatchObject({ status: 'failed' })
  }
}

/** Tests, looks at what is there, previews and runs, all of which fail at the far side. */
async function useConnectors(aviary: Aviary, ask: Ask, echo: string, dataDir: string, look: () => void) {
  const out = { name: 'out', type: 'file', config: { root: dataDir } }
  const { id: outId } = (await ask<{ id: number }>('POST', '/api/connectors', { body: out })).body
  const runs: number[] = []
  await Promise.all(
    connectorsWithSecrets(aviary, echo).map(async (connector) => {
      const unsaved = await ask('POST', '/api/connectors/test', { body: { ...connector, name: undefined } })
      expect(unsaved.body, connector.name).toMatchObject({ ok: false })
      const made = await ask<{ id: number }>('POST', '/api/connectors', { body: connector })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const { id } = made.body
      expect((await ask('POST', `/api/connectors/${id}/test`)).body).toMatchObject({ ok: false })
      await ask('GET', `/api/connectors/${id}/resources`)
      const yaml_content = taskFor(connector.name, connector.type)
      const connector_mapping = { far: id, out: outId }
      const preview = await ask('POST', '/api/tasks/preview', { body: { yaml_content, connector_mapping } })
      expect([200, 502], `${connector.name}: ${JSON.stringify(preview.body)}`).toContain(preview.status)
      const task = await ask<{ id: number }>('POST', '/api/tasks', { body: { yaml_content } })
      expect(task.status, JSON.stringify(task.body)).toBe(201)
      const run = await ask<{ id: number }>('POST', `/api/runs/trigger/${task.body.id}`, {
        body: { connector_mapping },
      })
      expect(run.status, JSON.stringify(run.body)).toBe(201)
      runs.push(run.body.id)
    }),
  )
  await Promise.all(
    runs.map((id) =>
      vi.waitUntil(
        async () => {
          look()
          const { body } = await ask<{ status: string }>('GET', `/api/runs/${id}`)
          return ['failed', 'completed', 'cancelled'].includes(body.status)
        },
        { timeout: 120_000, interval: 500 },
      ),
    ),
  )
  for (const id of runs) {
    expect((await ask('GET', `/api/runs/${id}`)).body).toMatchObject({ status: 'failed' })
    for (const part of ['logs', 'logs/download', 'steps', 'rejects']) await ask('GET', `/api/runs/${id}/${part}`)
  }
}

async function useHook({ know }: Aviary, ask: Ask, nobody: Ask) {
  const template = `etl: 1
kind: job
name: canary.job
tasks:
  wait: {gate: "Go on?"}
`
  const { id: templateId } = (
    await ask<{ id: number }>('POST', '/api/job-templates', { body: { yaml_content: template } })
  ).body
  const job = await ask<{ id: number }>('POST', `/api/job-templates/${templateId}/jobs`, { body: { name: 'canary' } })
  expect(job.status, JSON.stringify(job.body)).toBe(201)
  const hook = await ask<{ token: string }>('POST', '/api/event-triggers', {
    body: { job_id: job.body.id, name: 'hook', type: 'webhook' },
    headers: { 'idempotency-key': 'canary-hook' },
    shows: ['hook token'],
  })
  expect(hook.status, JSON.stringify(hook.body)).toBe(201)
  know('hook token', hook.body.token)
  expect((await nobody('POST', `/api/hooks/${hook.body.token}`, { body: {} })).status).toBe(202)
}

/** Every GET of the interface that ends, with the first records of each kind. */
async function readEverything(ask: Ask) {
  const backups = await ask<{ result: { name: string }[] }>('GET', '/api/server/backups')
  const name = backups.body.result[0]?.name ?? 'none'
  for (const operation of Object.values(operations)) {
    const { method, path } = operation
    const streams: Record<number, string> = 'streams' in operation ? operation.streams : {}
    if (method !== 'GET' || streams[200] === 'text/event-stream') continue
    const file = path.startsWith('/api/server/backups')
    await ask('GET', path.replaceAll(/\{\w+\}/g, file ? name : '1'))
  }
  const exported = await ask('GET', '/api/export?versions=all')
  expect(exported.status).toBe(200)
}

const tokenOf = (cookie: string) => cookie.split('=', 2)[1]!

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}
