import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../src/contract/operation.ts'
import type { Role, Scope } from '../../src/contract/roles.ts'
import { type App, createApp } from '../../src/server/app.ts'
import type { Services } from '../../src/server/services.ts'
import { type Config, loadConfig } from '../../src/server/platform/config.ts'
import { type PlatformParts, openPlatform } from '../../src/server/platform/open-platform.ts'
import type { PasswordCost, Platform } from '../../src/server/platform/platform.ts'
import { putMigratedStore } from './migrated-store.ts'

export interface TestServerOptions extends PlatformParts {
  /** Settings other than the defaults. */
  config?: Partial<Config>
  /** A folder to use, which is then kept; otherwise a temporary one. */
  dataDir?: string
  /** Lines that the server logs; thrown away unless given. */
  onLog?: (line: string) => void
}

export interface Answer<T = unknown> {
  status: number
  headers: Headers
  body: T
}

type QueryValue = string | number | boolean

interface CallOptions {
  headers?: Record<string, string>
  query?: Record<string, QueryValue | readonly QueryValue[] | undefined>
}

/** A caller of the REST interface. */
export interface TestClient {
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Any request; a body that is no string is sent as JSON. */
  request(method: string, path: string, options?: CallOptions & { body?: unknown }): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  /** An operation of the contract; throws when the answer is an error. */
  call<T extends Operation>(op: T, input?: OperationInput<T>): Promise<ResultOf<T>>
  /** The same client with more headers on every request. */
  with(headers: Record<string, string>): TestClient
}

/** Any request, and by its method. */
export const verbs = (
  request: TestClient['request'],
): Pick<TestClient, 'request' | 'get' | 'post' | 'put' | 'patch' | 'delete'> => ({
  request,
  get: (path, options) => request('GET', path, options),
  post: (path, body, options) => request('POST', path, { ...options, body }),
  put: (path, body, options) => request('PUT', path, { ...options, body }),
  patch: (path, body, options) => request('PATCH', path, { ...options, body }),
  delete: (path, options) => request('DELETE', path, options),
})

export interface OperationInput<T extends Operation> {
  params?: ParamsOf<T>
  query?: QueryOf<T>
  body?: BodyOf<T>
  headers?: Record<string, string>
}

export interface TestServer {
  url: string
  dataDir: string
  platform: Platform
  services: Services
  app: App['app']
  /** Nobody in particular. */
  client: TestClient
  /** A client with an API key of this role (and scopes), of a user made for it. */
  as(role: Role, scopes?: Scope[]): TestClient
  /** A client with the executor key. */
  asExecutor(): TestClient
  close(): Promise<void>
}

/** The least that argon2id does: few tests are about how long it takes. */
export const quickPasswords: PasswordCost = { memoryCost: 8, timeCost: 1 }
export const testExecutorKey = 'executor-key-of-the-tests'

export async function testConfig(dataDir: string, overrides: Partial<Config> = {}): Promise<Config> {
  const config = await loadConfig({
    argv: ['--data-dir', dataDir, '--port', '0', '--no-executor'],
    env: { SVC_EXECUTOR_KEY: testExecutorKey },
    platform: process.platform,
    home: dataDir,
    randomKey: () => testExecutorKey,
  })
  return { ...config, ...overrides }
}

/** The server inside this process, listening on a free port of the loopback address. Close it. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'headgate-test-'))
  const { clock, ids, onLog, passwordCost = quickPasswords } = options
  if (!options.dataDir) putMigratedStore(dataDir, clock)
  const config = await testConfig(dataDir, { logLevel: onLog ? 'debug' : 'error', ...options.config })
  const platform = openPlatform(config, { clock, ids, passwordCost, logger: options.logger ?? silentLogger(onLog) })
  const app = await createApp(platform)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  // Listening on TCP, so it has a port.
  const { port } = app.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const client = createClient(url)
  let users = 0
  return {
    url,
    dataDir,
    platform,
    services: app.services,
    app: app.app,
    client,
    as(role, scopes = []) {
      const user = app.services.users.create({ username: `${role}-${++users}`, role, passwordHash: null })
      const maker = {
        kind: 'session',
        user_id: user.id,
        username: user.username,
        role,
        scopes: [],
        pending: false,
      } as const
      const { key } = app.services.apiKeys.create({ name: `key of ${user.username}`, scopes }, { ...maker, scopes: [] })
      return client.with({ authorization: `Bearer ${key}` })
    },
    asExecutor: () => client.with({ authorization: `Bearer ${config.executorKey}` }),
    async close() {
      await app.close()
      platform.close()
      if (options.dataDir) return
      // Uploads are kept beside the data folder.
      for (const folder of [dataDir, `${dataDir}-files`]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function silentLogger(onLog: ((line: string) => void) | undefined): PlatformParts['logger'] {
  const log = (level: string) => (fields: object, message: string) =>
    onLog?.(
      JSON.stringify({ level, msg: message, ...fields }, (_key, value: unknown) =>
        value instanceof Error ? value.stack : value,
      ),
    )
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error'), child: () => logger }
  return logger
}

export function createClient(url: string, headers: Record<string, string> = {}): TestClient {
  const request: TestClient['request'] = async (method, path, options = {}) => {
    const target = new URL(path, url)
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const one of [value].flat()) if (one !== undefined) target.searchParams.append(name, String(one))
    }
    const { body } = options
    const init: RequestInit = {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, ...options.headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    }
    const response = await fetch(target, init)
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: json && text ? (JSON.parse(text) as unknown) : text,
    }
  }
  return {
    headers,
    ...verbs(request),
    async call(op, input = {}) {
      const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((input.params as Record<string, unknown> | undefined)?.[name])),
      )
      const { body, headers: more } = input
      // Query values of the contract are texts, numbers and booleans.
      const answer = await request(op.method, path, { body, headers: more, query: input.query as CallOptions['query'] })
      if (answer.status >= 400) throw new Error(`${op.id}: ${answer.status} ${JSON.stringify(answer.body)}`)
      // What the server answered is what the contract says.
      return answer.body as ResultOf<typeof op>
    },
    with: (more) => createClient(url, { ...headers, ...more }),
  }
}
