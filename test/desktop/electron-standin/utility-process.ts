import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { app } from './app.ts'

interface ForkOptions {
  env?: Record<string, string>
  execArgv?: string[]
  cwd?: string
  serviceName?: string
  stdio?: 'pipe' | 'ignore' | 'inherit'
}

class UtilityProcess extends EventEmitter {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly #child: ChildProcess

  constructor(entry: string, args: string[], options: ForkOptions) {
    super()
    const stdio = options.stdio ?? 'inherit'
    this.#child = fork(entry, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      execArgv: ['-r', join(import.meta.dirname, 'utility-shim.cjs'), ...(options.execArgv ?? [])],
      stdio: ['ignore', stdio, stdio, 'ipc'],
      serialization: 'advanced',
    })
    this.stdout = this.#child.stdout
    this.stderr = this.#child.stderr
    const { pid } = this.#child
    if (pid !== undefined) {
      app.utilityPids.add(pid)
      this.#child.once('exit', () => app.utilityPids.delete(pid))
    }
    this.#child.on('spawn', () => this.emit('spawn'))
    this.#child.on('message', ({ data }: { data: unknown }) => this.emit('message', data))
    this.#child.on('exit', (code) => this.emit('exit', code ?? 1))
    this.#child.on('error', (error) => this.emit('error', 'FatalError', String(error), ''))
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  postMessage(data: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0) throw new Error('electron stand-in: transferred MessagePorts are not supported')
    if (this.#child.connected) this.#child.send({ data })
  }

  kill(): boolean {
    return this.#child.kill()
  }
}

export const utilityProcess = {
  fork(entry: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.')
    return new UtilityProcess(entry, args, options)
  },
}
