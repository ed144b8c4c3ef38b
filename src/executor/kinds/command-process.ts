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
 * process holds open. It gets nothing of the user's but a number.
 */
const waitAndKill = 'read -r _; kill -s KILL -- "-$1"'

export interface Guard {
  /** The program has ended. */
  release(): void
}

export function guardGroup(pid: number | undefined, failed: (error: Error) => void): Guard {
  if (windows || pid === undefined) return { release: () => undefined }
  const guard: ChildProcess = spawn('/bin/sh', ['-c', waitAndKill, 'headgate-guard', String(pid)], {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', failed)
  // The pipe breaks when the guard is ended: that is no news.
  guard.stdin?.on('error', () => undefined)
  guard.unref()
  return { release: () => void guard.kill('SIGKILL') }
}
