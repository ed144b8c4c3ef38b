/**
 * What the end-to-end specs stand on: the built server as a process of its own, in a fresh data folder with one account,
 * and pages of Chromium that are signed in to it. `HEADGATE_OUT` names the build (default `out`).
 */
import { test as base, expect } from '@playwright/test'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../src/contract/operation.ts'

export { expect }
export { expectAccessible, tabTo } from './walk.ts'

export const admin = { username: 'ada', password: 'correct horse battery staple' } as const

export interface BuiltServer {
  readonly url: string
  readonly dataDir: string
  /** For files of connectors, which may not be in the data folder. */
  readonly filesDir: string
  /** The log so far: for the message of a failing test. */
  log: () => string
  /** Ends the process like a crash; the folder stays. */
  kill: () => Promise<void>
  /** Starts it again in the same folder at the same address. */
  restart: () => Promise<void>
  /** Ends the process as the system would and removes the folder. */
  stop: () => Promise<void>
}

export interface BuiltServerOptions {
  /** False leaves the store without an account. */
  withAdmin?: boolean
  /** False starts no executor. */
  withExecutor?: boolean
  /** Settings as environment variables. */
  env?: Readonly<Record<string, string>>
}

const entry = () => {
  const path = resolve(process.env.HEADGATE_OUT ?? 'out', 'main/server.js')
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first, or set HEADGATE_OUT`)
  return path
}

async function start(dataDir: string, port: string, options: BuiltServerOptions, logLines: string[]) {
  const flags = options.withExecutor === false ? ['--no-executor'] : []
  const account =
    options.withAdmin === false ? {} : { SVC_ADMIN_USERNAME: admin.username, SVC_ADMIN_PASSWORD: admin.password }
  const child = spawn(process.execPath, [entry(), '--data-dir', dataDir, '--port', port, ...flags], {
    env: { ...process.env, ...account, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  createInterface(child.stderr).on('line', (line) => logLines.push(line))
  const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${String(code)} before it was ready:\n${logLines.join('\n')}`)
  })
  const [line] = await Promise.race([ready, ended])
  ended.catch(() => undefined)
  // The one line of the goal: {"event":"ready","url":…}.
  const { url } = JSON.parse(line) as { url: string }
  return { child, url }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

export async function startBuiltServer(options: BuiltServerOptions = {}): Promise<BuiltServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-e2e-'))
  const filesDir = mkdtempSync(join(tmpdir(), 'headgate-e2e-files-'))
  const logLines: string[] = []
  let running = await start(dataDir, '0', options, logLines)
  const { url } = running
  return {
    url,
    dataDir,
    filesDir,
    log: () => logLines.join('\n'),
    kill: () => end(running.child, 'SIGKILL'),
    restart: async () => {
      running = await start(dataDir, new URL(url).port, options, logLines)
    },
    stop: async () => {
      await end(running.child, 'SIGTERM')
      for (const folder of [dataDir, `${dataDir}-files`, filesDir]) rmSync(folder, { recursive: true, force: true })
      rmSync(`${dataDir}-demo.db`, { force: true })
    },
  }
}

export interface ApiInput<T extends Operation> {
  params?: ParamsOf<T>
  query?: QueryOf<T>
  body?: BodyOf<T>
}
/** Calls an operation as the signed-in account; throws with the answer when it is refused. */
export type Api = <T extends Operation>(op: T, input?: ApiInput<T>) => Promise<ResultOf<T>>

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export function apiOf(server: Pick<BuiltServer, 'url'>, cookie: string): Api {
  return async (op, input = {}) => {
    const params = new Map(Object.entries(input.params ?? {}))
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params.get(name))))
    const query = new URLSearchParams(
      Object.entries(input.query ?? {}).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one) => [name, textOf(one)]),
      ),
    )
    const response = await fetch(`${server.url}${path}?${query.toString()}`, {
      method: op.method,
      headers: { cookie, origin: server.url, 'content-type': 'application/json' },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${op.id} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** The cookie of a new session of the account. */
export async function signInCookie(
  server: Pick<BuiltServer, 'url'>,
  account: { username: string; password: string } = admin,
): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0]
  if (!cookie) throw new Error(`Signing in answered ${response.status}: ${await response.text()}`)
  return cookie
}

/** What a browser holds that is signed in. */
export function sessionOf(server: Pick<BuiltServer, 'url'>, cookie: string) {
  const [name = '', value = ''] = cookie.split('=', 2)
  const { hostname } = new URL(server.url)
  const session = { name, value, domain: hostname, path: '/', expires: -1, httpOnly: true, secure: false } as const
  return { cookies: [{ ...session, sameSite: 'Strict' as const }], origins: [] }
}

interface WorkerFixtures {
  /** One server for all specs of a worker, with the account `admin` and an executor. */
  server: BuiltServer
  cookie: string
}
interface TestFixtures {
  api: Api
}

/**
 * `page` is signed in and starts at the server's address. A spec that needs a server of its own (no account, killed)
 * starts it with `startBuiltServer`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a pattern, and nothing is needed of it here.
    async ({}, use) => {
      const server = await startBuiltServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  cookie: [async ({ server }, use) => use(await signInCookie(server)), { scope: 'worker' }],
  api: async ({ server, cookie }, use) => use(apiOf(server, cookie)),
  baseURL: async ({ server }, use) => use(server.url),
  storageState: async ({ server, cookie }, use) => use(sessionOf(server, cookie)),
  page: async ({ page }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await use(page)
    expect(errors, 'errors thrown in the page').toEqual([])
  },
})
