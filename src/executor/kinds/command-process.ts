import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

export type CommandChild = ChildProcessByStdio<null, Readable, Readable>

export interface CommandStart {
  program: string
  args: string[]
  env: Record<string, string>
  cwd: string
}

const windows = process.platform === 'win32'

/** Without a shell, and in a process group of its own: what it starts can be ended with it. */
export function startCommand({ program, args, env, cwd }: CommandStart): CommandChild {
  return spawn(program, args, {
    cwd,
    env,
    shell: false,
    detached: !windows,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Everything in the program's group: not what has left it for a session of its own. */
export function killGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  if (windows) {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    ) // gone
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // Nothing is left of it.
  }
}

/**
 * Ends the program when this process is killed and can no longer do so: a shell of its own that reads from a pipe which only this
 * process holds open. It gets nothing of the user's but a number. It is there before the program, so that next to no time passes
 * between the program's start and its being watched.
 */
const waitAndKill = 'read -r group || exit 0; read -r _; kill -s KILL -- "-$group"'

export interface Guard {
  /** The program runs, in the process group of this number. */
  watch(pid: number | undefined): void
  /** The program has ended. */
  release(): void
}

export function startGuard(failed: (error: Error) => void): Guard {
  if (windows) return { watch: () => undefined, release: () => undefined }
  const guard: ChildProcess = spawn('/bin/sh', ['-c', waitAndKill, 'headgate-guard'], {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', failed)
  // The pipe breaks when the guard is ended: that is no news.
  guard.stdin?.on('error', () => undefined)
  guard.unref()
  return {
    watch: (pid) => void (pid === undefined || guard.stdin?.write(`${pid}\n`)),
    release: () => void guard.kill('SIGKILL'),
  }
}
