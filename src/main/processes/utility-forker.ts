import { utilityProcess } from 'electron'
import { childEnvironment, ExitLatch, type ChildHandle, type Forker } from '../../process/child.ts'

/**
 * Starts child processes as Electron utility processes. Output that nobody asked for goes to `onOutput`, the log.
 * Only after the app is ready.
 */
export function utilityForker(env: Record<string, string | undefined>, onOutput: (text: string) => void): Forker {
  return (entry, options) => {
    const output = options.output ?? 'stderr'
    const listener = typeof output === 'function' ? output : onOutput
    const latch = new ExitLatch()
    const child = utilityProcess.fork(entry, options.args ?? [], {
      env: childEnvironment(env, options.env),
      execArgv: options.execArgv ?? [],
      serviceName: options.name,
      stdio: output === 'ignore' ? 'ignore' : 'pipe',
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => listener(chunk.toString('utf8')))
    }
    child.on('error', (type, location) => onOutput(`${options.name}: ${type} at ${location}\n`))
    child.once('exit', (code) => latch.settle({ code, signal: null }))
    return handle(child, latch)
  }
}

function handle(child: Electron.UtilityProcess, latch: ExitLatch): ChildHandle {
  return {
    get pid() {
      return child.pid
    },
    send(message) {
      if (latch.exit) return false
      child.postMessage(message)
      return true
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => latch.onExit(listener),
    kill(signal = 'SIGTERM') {
      if (latch.exit) return
      // `UtilityProcess.kill` can only ask; a process that does not answer has to be forced.
      if (signal === 'SIGKILL' && child.pid !== undefined) forceKill(child.pid)
      else child.kill()
    },
  }
}

function forceKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // ESRCH: it ended meanwhile, which is what we want.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
