// Starts a headless control plane and talks to it as any script with an API key would.
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../src/contract/operation.ts'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { login } from '../../src/contract/auth.ts'

export interface Account {
  username: string
  password: string
}

/** `HEADGATE_OUT` names another build than `out`. */
const build = process.env['HEADGATE_OUT'] ?? 'out'

/** A running server: its address, and how to stop it. */
export interface ControlPlane {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

/** Starts the built server on a free port; logs go to `server.log` in the data folder. Fails when it ends before it is ready. */
export async function startControlPlane(dataDir: string, account: Account, port = 0): Promise<ControlPlane> {
  const log = createWriteStream(join(dataDir, 'server.log'))
  const child = spawn(
    process.execPath,
    [join(build, 'main/server.js'), '--data-dir', dataDir, '--port', String(port)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SVC_ADMIN_USERNAME: account.username, SVC_ADMIN_PASSWORD: account.password },
    },
  )
  child.stderr.pipe(log)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      // The one line that the server prints when it is ready.
      resolve((JSON.parse(line) as { url: string }).url)
    })
    void exited.then((code) =>
      reject(new Error(`The server ended (${code}) before it was ready; see ${dataDir}/server.log`)),
    )
  })
  const url = await ready
  return {
    url,
    process: child,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export type Client = ReturnType<typeof connect>

/** A client that authenticates every call with the given headers. */
export function connect(url: string, headers: Record<string, string>) {
  async function request(
    op: Operation,
    input: { params?: object; query?: object; body?: unknown },
    accept = 'application/json',
  ) {
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(new Map(Object.entries(input.params ?? {})).get(name))),
    )
    const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([k, v]) => [k, String(v)]))
    const response = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
      method: op.method,
      headers: { ...headers, accept, ...(input.body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
    })
    if (!response.ok) throw new Error(`${op.id}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    request,
    async call<T extends Operation>(op: T, input: { params?: ParamsOf<T>; query?: QueryOf<T>; body?: BodyOf<T> } = {}) {
      const response = await request(op, input)
      // The server shapes every answer by the schema that this type comes from.
      return (await response.json()) as ResultOf<T>
    },
  }
}

/** The cookie of a new session. */
export async function sessionCookie(url: string, account: Account): Promise<string> {
  const answer = await connect(url, { origin: url }).request(login, { body: account })
  return answer.headers
    .getSetCookie()
    .map((c) => c.split(';')[0])
    .join('; ')
}

/** Signs in with the password once and goes on with an API key, as a script should. */
export async function signIn(url: string, account: Account): Promise<Client> {
  const cookie = await sessionCookie(url, account)
  const { key } = await connect(url, { cookie, origin: url }).call(createApiKey, { body: { name: 'demo' } })
  return connect(url, { authorization: `Bearer ${key}` })
}
