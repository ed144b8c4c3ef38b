import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '../../..')

/** The server as it is shipped, where it has been built; else its sources. `HEADGATE_SERVER` names another build. */
export function serverEntry(): string {
  const built = process.env.HEADGATE_SERVER ?? join(root, 'out/main/server.js')
  return existsSync(built) ? built : join(root, 'src/server/start.ts')
}

export const executorKey = 'executor-key-of-the-faults'
export const admin = { username: 'root', password: 'a long enough password' }

export interface ServerProcess {
  url: string
  pid: number
  /** From spawn to the ready line, in ms. */
  readyMs: number
  /** Resident memory in MB. */
  rssMb(): number
  /** SIGKILL, without a word. */
  kill(): Promise<void>
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>
}

/** Starts a server process on this data folder, without an executor of its own. */
export async function startServerProcess(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, [serverEntry(), '--data-dir', dataDir, '--port', '0', '--no-executor'], {
    env: {
      ...process.env,
      SVC_EXECUTOR_KEY: executorKey,
      SVC_ADMIN_USERNAME: admin.username,
      SVC_ADMIN_PASSWORD: admin.password,
      SVC_LIMITS_REQUESTS_PER_SECOND: '100000',
      SVC_LIMITS_BURST: '100000',
      SVC_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const url = await ready(child, () => complaints)
  const readyMs = performance.now() - began
  const exited = once(child, 'exit')
  const pid = child.pid!
  return {
    url,
    pid,
    readyMs,
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

function ready(child: ChildProcess, complaints: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', (text) => {
      // The one line that the server prints.
      resolve((JSON.parse(text) as { url: string }).url)
    })
    child.once('exit', (code, signal) => {
      // After it was ready this is heard by nobody, unless it ended by itself: then its reason must be seen.
      if (signal === null && code !== 0) process.stderr.write(complaints())
      reject(new Error(`The server ended with ${code}: ${complaints()}`))
    })
  })
}

export interface Reply {
  status: number
  body: unknown
}

export interface Client {
  /** Rejects when the connection breaks: then nothing is known about what the server did. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  close(): void
}

/** A caller over kept-alive connections. */
export function connect(url: string, headers: Record<string, string>): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send: (method, path, body, more) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const type = payload === undefined ? {} : { 'content-type': 'application/json' }
        const sent = request(
          `${url}${path}`,
          { method, agent, headers: { ...type, ...headers, ...more } },
          (answer) => {
            let text = ''
            answer.setEncoding('utf8')
            answer.on('data', (chunk: string) => (text += chunk))
            answer.on('error', reject)
            answer.on('end', () => {
              if (answer.complete)
                resolve({ status: answer.statusCode ?? 0, body: text ? (JSON.parse(text) as unknown) : null })
              else reject(new Error('The answer broke off'))
            })
          },
        )
        sent.on('error', (error) => reject(new Error(`${method} ${path}: ${error.message}`, { cause: error })))
        sent.end(payload)
      }),
    close: () => agent.destroy(),
  }
}

export const asExecutor = (url: string) => connect(url, { authorization: `Bearer ${executorKey}` })

/** A client with an API key of the superadmin; the key outlives the server process. */
export async function makeApiKey(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(admin),
  })
  const cookie = response.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const made = await fetch(`${url}/api/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie: cookie.join('; ') },
    body: JSON.stringify({ name: 'ledger' }),
  })
  if (made.status !== 201) throw new Error(`No API key: ${made.status} ${await made.text()}`)
  return ((await made.json()) as { key: string }).key
}
