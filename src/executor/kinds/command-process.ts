import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

export type CommandChild = ChildProcessByStdio<null, Readable, Readable>

export interface CommandStart {
  program: string
  args: string[]
  env: Record<string, string>
  cwd: string
}

const windows = process.platform === 'win32'

/**
 * Ends the program when this process is killed and can no longer do so: a shell in a session of its own, which is there before the
 * program, and reads from a pipe that stays open for as long as this process lives. It gets nothing of the user's but a number.
 */
const waitAndKill = 'read -r group || exit 0; read -r _; kill -s KILL -- "-$group"'

/**
 * Says the number of its group on that pipe and becomes the program: so no moment is left in which the program runs and the guard does
 * not know it. Of the variables that shells make by themselves the program gets those alone that it was given.
 */
function tellAndBecome(given: Record<string, string>): string {
  const made = ['PWD', 'OLDPWD', 'SHLVL'].filter((name) => !(name in given))
  return `echo "$$" >&3 || exit; unset ${made.join(' ')}; exec "$@" 3>&-`
}

interface Exit {
  code: number | null
  signal: string | null
}

export interface RunningCommand {
  child: CommandChild
  /** Rejects when it could not be started. */
  exit: Promise<Exit>
}

/** Null on Windows, which ends the program with this process by itself: libuv puts it into a job before it runs. */
export type Guard = ChildProcessByStdio<Writable, null, null> | null

/** Rejects where the system has no shell. */
export async function startGuard(): Promise<Guard> {
  if (windows) return null
  const guard = spawn('/bin/sh', ['-c', waitAndKill, 'headgate-guard'], {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The pipe breaks when the guard is ended: that is no news.
  guard.stdin.on('error', () => undefined)
  await once(guard, 'spawn')
  guard.unref()
  return guard
}

/** In a process group of its own: what it starts can be ended with it. Its arguments are no text for a shell. */
export function startCommand({ program, args, env, cwd }: CommandStart, guard: Guard): RunningCommand {
  const [file, given] = guard ? ['/bin/sh', ['-c', tellAndBecome(env), 'headgate', program, ...args]] : [program, args]
  const child = spawn(file, given, {
    cwd,
    env,
    shell: false,
    detached: !windows,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(guard ? [guard.stdin] : [])],
  })
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  // `stdio` says so; the types know it for three entries alone.
  return { child: child as CommandChild, exit }
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
