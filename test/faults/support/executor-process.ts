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

/** An executor that finds the server by its data folder, at whatever address it comes back. */
export function startExecutorProcess(dataDir: string, name: string, slots: number): ExecutorProcess {
  const args = ['--data-dir', dataDir, '--name', name, '--slots', String(slots), '--grace', '1']
  const child: ChildProcess = spawn(process.execPath, [executorEntry(), ...args], {
    env: { ...process.env, SVC_EXECUTOR_KEY: executorKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let killed = false
  let complaints = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-4_000)))
  child.once('exit', (code) => {
    // Nobody asked it to: its reason must be seen.
    if (!killed) process.stderr.write(`The executor ended with ${code}: ${complaints}\n`)
  })
  const exited = once(child, 'exit')
  return {
    name,
    pid: child.pid!,
    async kill() {
      killed = true
      child.kill('SIGKILL')
      await exited
    },
  }
}
