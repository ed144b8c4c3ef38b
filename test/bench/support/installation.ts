import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createApiKey } from '../../../src/contract/api-keys.ts'
import { login } from '../../../src/contract/auth.ts'
import { createConnector } from '../../../src/contract/connectors.ts'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../../src/contract/operation.ts'
import { createTask } from '../../../src/contract/tasks.ts'

/** A built control plane in a folder of its own, driven over REST like any other. */
export interface Installation {
  url: string
  dataDir: string
  filesDir: string
  call<T extends Operation>(op: T, input?: Input<T>): Promise<ResultOf<T>>
  /** Starts another executor: the built one, or the module given. */
  startExecutor(args: string[], entry?: string): { stop(): Promise<void> }
  /** Makes a task, and a connector named by its slot `files` when it has one; gives the task's id and the mapping. */
  task(yaml: string): Promise<{ taskId: number; mapping: Record<string, number> }>
  close(): Promise<void>
}

interface Input<T extends Operation> {
  params?: ParamsOf<T>
  query?: QueryOf<T>
  body?: BodyOf<T>
}

export const account = { username: 'bench', password: 'correct horse battery staple' }
const executorKey = 'key-of-the-benchmarks'
/** Nobody asks that much of one account; a benchmark does. */
const config = 'limits:\n  requests_per_second: 100000\n  burst: 100000\n'

function builtEntry(name: string): string {
  const entry = resolve(process.env.HEADGATE_OUT ?? 'out', 'main', name)
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run \`npm run build\` first`)
  return entry
}

export async function startInstallation(serverArgs: string[] = []): Promise<Installation> {
  const root = mkdtempSync(join(tmpdir(), 'headgate-bench-'))
  const [dataDir, filesDir] = [join(root, 'data'), join(root, 'files')]
  mkdirSync(dataDir, { mode: 0o700 })
  mkdirSync(filesDir)
  writeFileSync(join(dataDir, 'config.yaml'), config)
  const env = {
    ...process.env,
    SVC_ADMIN_USERNAME: account.username,
    SVC_ADMIN_PASSWORD: account.password,
    SVC_EXECUTOR_KEY: executorKey,
  }
  const server = start(builtEntry('server.js'), ['--data-dir', dataDir, '--port', '0', ...serverArgs], env, root)
  const url = await readyUrl(server)
  const send = await signIn(url)
  let tasks = 0
  return {
    url,
    dataDir,
    filesDir,
    call: send,
    startExecutor(args, entry = builtEntry('executor.js')) {
      const executor = start(entry, ['--url', url, ...args], { ...process.env, SVC_EXECUTOR_KEY: executorKey }, root)
      return { stop: () => end(executor) }
    },
    async task(yaml) {
      const name = `files_${++tasks}`
      const connector = await send(createConnector, { body: { name, type: 'file', config: { root: filesDir } } })
      const { id } = await send(createTask, { body: { yaml_content: yaml } })
      return { taskId: id, mapping: { files: connector.id } }
    },
    async close() {
      await end(server)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function start(entry: string, args: string[], env: NodeJS.ProcessEnv, cwd: string): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', process.env.HEADGATE_BENCH_LOGS ? 'inherit' : 'ignore'],
  })
}

function readyUrl(server: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    server.once('exit', (code) => failed(new Error(`The server ended (${code}) before it was ready`)))
    // stdout is piped; its one line says that it is ready.
    createInterface({ input: server.stdout! }).once('line', (line) => done((JSON.parse(line) as { url: string }).url))
  })
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}

async function signIn(url: string): Promise<Installation['call']> {
  const response = await request(url, login, { body: account }, { origin: url })
  const cookie = response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const answer = await request(url, createApiKey, { body: { name: 'bench' } }, { cookie, origin: url })
  // The server shapes its answers by the contract.
  const { key } = (await answer.json()) as ResultOf<typeof createApiKey>
  return async <T extends Operation>(op: T, input: Input<T> = {}) => {
    const result = await request(url, op, input, { authorization: `Bearer ${key}` })
    return (await result.json()) as ResultOf<T>
  }
}

async function request(
  url: string,
  op: Operation,
  input: { params?: object; query?: object; body?: unknown },
  headers: Record<string, string>,
): Promise<Response> {
  const params = new Map(Object.entries(input.params ?? {}))
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params.get(name)))
  const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: op.method,
    headers: { ...headers, ...(input.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  })
  if (!response.ok) throw new Error(`${op.id}: ${response.status} ${await response.text()}`)
  return response
}
