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

/** What shells make or change by themselves, and what would load other code into the shell; macOS takes the last from its shell. */
const ofShells = /^(PWD|OLDPWD|SHLVL|IFS|OPTIND|LD_.*|DYLD_.*)$/

/**
 * Says the number of its group on that pipe and becomes the program: so no moment is left in which the program runs and the guard does
 * not know it. A shell that ends without having become the program says so on a pipe that the program never has: exit codes do not
 * tell, as a program may use those of shells (126, 127) itself. bash forgets its traps in an `exec`, and goes on when that failed only
 * where it was told to by `shopt`, which other shells do not know. The bash of macOS (3.2) tells no refusal, and leaves the program a copy
 * of that pipe; of the guard's it would, too, were that closed for the program alone. The program gets the variables that it was given, and none that a
 * shell makes: those are kept from it under other names.
 */
function wrapperOf(given: Record<string, string>): { script: string; env: Record<string, string> } {
  const names = Object.keys(given).filter((name) => ofShells.test(name))
  const kept = (index: number): string => `HEADGATE_KEPT_${index}`
  const restore = names.map((name, index) => `export ${name}="$${kept(index)}"; unset ${kept(index)}; `)
  const env = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const index = names.indexOf(name)
      return [index < 0 ? name : kept(index), value]
    }),
  )
  const script = `trap 'echo >&4' EXIT; PATH=/dev/null shopt -s execfail 2>&-; echo "$$" >&3 || exit; unset PWD OLDPWD SHLVL; ${restore.join('')}exec 3>&-; { exec "$@"; } 4>&-; exit`
  return { script, env }
}

interface Exit {
  code: number | null
  signal: string | null
  /** False: the system did not take it for a program, and what ended is the shell. */
  begun: boolean
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
  const shell = wrapperOf(env)
  const [file, given] = guard ? ['/bin/sh', ['-c', shell.script, 'headgate', program, ...args]] : [program, args]
  const child = spawn(file, given, {
    cwd,
    env: guard ? shell.env : env,
    shell: false,
    detached: !windows,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(guard ? [guard.stdin, 'pipe' as const] : [])],
  })
  // Without a free descriptor there are no pipes at all, and `error` follows.
  const notBegun = hearing((child as Partial<typeof child>).stdio?.[4])
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => void notBegun().then((refused) => resolve({ code, signal, begun: !refused })))
  })
  // `stdio` says so; the types know it for three entries alone.
  return { child: child as CommandChild, exit }
}

/** What its program left running may hold the shell's pipe; what the shell said is read long before. */
const heldMs = 1_000

/** Asked when the process has ended: whether anything came by the pipe. */
function hearing(pipe: Readable | Writable | null | undefined): () => Promise<boolean> {
  if (!pipe) return () => Promise.resolve(false)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let received = false
  pipe.on('data', () => (received = true))
  pipe.on('error', () => undefined) // it closes, too
  pipe.once('close', resolve)
  return async () => {
    const timer = setTimeout(() => pipe.destroy(), heldMs)
    await closed
    clearTimeout(timer)
    return received
  }
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
