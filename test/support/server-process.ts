import { type ChildProcess, spawn } from 'node:child_process'
import { finished } from 'node:stream/promises'
import { entryOf } from './entries.ts'
import type { TestClient } from './server.ts'
import { createClient } from './server.ts'

/** The server as its own process. */
export interface ServerProcess {
  child: ChildProcess
  pid: number
  /** Lines of stdout so far. */
  stdout: string[]
  /** Lines of stderr so far. */
  stderr: string[]
  /** Messages over the parent channel so far (with `ipc`). */
  messages: Record<string, unknown>[]
  /** Resolves with the ready line; rejects with stderr when the process ends first. */
  ready: Promise<{ event: 'ready'; url: string; pid: number; version: string }>
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  client(headers?: Record<string, string>): Promise<TestClient>
  kill(signal: NodeJS.Signals): void
}

export interface ServerProcessOptions {
  args?: string[]
  env?: Record<string, string>
  ipc?: boolean
}

export function spawnServer(
  dataDir: string,
  { args = [], env = {}, ipc = false }: ServerProcessOptions = {},
): ServerProcess {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')))
  const child = spawn(process.execPath, [entryOf('server'), '--data-dir', dataDir, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    serialization: 'advanced',
  })
  const stdout = linesOf(child.stdout!)
  const stderr = linesOf(child.stderr!)
  const messages: Record<string, unknown>[] = []
  child.on('message', (message) => messages.push(message as Record<string, unknown>))
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // Not `close`, which never comes once the channel was let go from this side.
    child.once('exit', (code, signal) => {
      void Promise.all([finished(child.stdout!), finished(child.stderr!)]).then(() => resolve({ code, signal }))
    })
  })
  const ready = new Promise<{ event: 'ready'; url: string; pid: number; version: string }>((resolve, reject) => {
    child.stdout!.on('data', () => {
      // Its one line, which is JSON.
      if (stdout[0] !== undefined) resolve(JSON.parse(stdout[0]) as Awaited<ServerProcess['ready']>)
    })
    void exited.then(() => reject(new Error(`The server has ended: ${stderr.join('\n')}`)))
  })
  // Whoever waits for it hears; a test that expects a failure does not wait.
  ready.catch(() => {})
  return {
    child,
    pid: child.pid!,
    stdout,
    stderr,
    messages,
    ready,
    exited,
    client: async (headers) => createClient((await ready).url, headers),
    kill: (signal) => void child.kill(signal),
  }
}

function linesOf(stream: NodeJS.ReadableStream): string[] {
  const lines: string[] = []
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
  })
  stream.on('end', () => {
    if (rest) lines.push(rest)
  })
  return lines
}
