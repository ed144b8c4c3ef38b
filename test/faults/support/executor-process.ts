import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { executorKey } from './server-process.ts'

const root = join(import.meta.dirname, '../../..')

/** The executor as it is shipped, where it has been built; else its sources. `HEADGATE_EXECUTOR` names another build. */
function executorEntry(): string {
  const built = process.env.HEADGATE_EXECUTOR ?? join(root, 'out/main/executor.js')
  return existsSync(built) ? built : join(root, 'src/executor/start.ts')
}

export interface ExecutorProcess {
  name: string
  pid: number
  /** SIGKILL, without a word. */
  kill(): Promise<void>
}

/**
 * An executor that finds the server by its data folder, at whatever address it comes back. One that ends by itself is started
 * again, as a service manager would do it: while the server is away there is no address to be read.
 */
export function startExecutorProcess(dataDir: string, name: string, slots: number): ExecutorProcess {
  const args = ['--data-dir', dataDir, '--name', name, '--slots', String(slots), '--grace', '1']
  let killed = false
  let again: NodeJS.Timeout | undefined
  let child = start()

  function start(): ChildProcess {
    const started = spawn(process.execPath, [executorEntry(), ...args], {
      env: { ...process.env, SVC_EXECUTOR_KEY: executorKey },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaints = ''
    started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-4_000)))
    started.once('exit', (code) => {
      if (killed) return
      // Nobody asked it to: its reason must be seen.
      process.stderr.write(`The executor ended with ${code}: ${complaints}\n`)
      again = setTimeout(() => (child = start()), 200)
    })
    return started
  }

  return {
    name,
    get pid() {
      return child.pid!
    },
    async kill() {
      killed = true
      clearTimeout(again)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
