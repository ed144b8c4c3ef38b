import { shortened } from '../../language/shortened.ts'
import { realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { CommandTask } from '../../language/task/kinds/task-document.types.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, codeOf } from '../engine/errors.ts'
import { commandEnvironment, steers } from './command-environment.ts'
import { OutputTail, readOutput } from './command-output.ts'
import { commandUsage, commandVariable, readCommandPolicy } from './command-policy.ts'
import {
  killGroup,
  startCommand,
  startGuard,
  type CommandChild,
  type CommandStart,
  type Guard,
  type RunningCommand,
} from './command-process.ts'
import { checkProgram, notStarted, refused } from './command-start.ts'
import type { KindContext, KindRunner } from './kind.types.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** From asking to forcing. The worker itself is killed 2 s after it was told to stop. */
const killAfterMs = 1_000
/** How long others may hold the output of a program that has ended. */
const lingerMs = 1_000

export const commandRunner: KindRunner<'command'> = {
  kind: 'command',
  async run({ command }, context) {
    const program = allowedProgram(command)
    const cwd = join(context.tempDir, 'command')
    await mkdir(cwd, { recursive: true })
    const env = commandEnvironment(process.env, command.env, cwd)
    const { code, signal, begun, stdout, stderr } = await runProgram(
      { program, args: command.argv.slice(1), env, cwd },
      context,
    )
    if (context.signal.aborted) throw cancelled()
    if (!begun) throw refused(program, stderr.text())
    if (code === null || !command.success_codes.includes(code)) throw ended(program, code, signal, stderr)
    context.log('info', `${program} ended with code ${code}`)
    return {
      item_count: null,
      scope: { result: { exit_code: code, stdout: stdout.text() } },
      metrics: { rows_in: 0, rows_out: 0, rejected: 0, bytes: stdout.bytes, lane: 'command' },
    }
  },
}

/** The program, where the executor's owner allows it. */
function allowedProgram({ argv: [program = ''], env }: CommandTask['command']): string {
  const policy = readCommandPolicy(process.env)
  if (policy === null || policy.kind === 'none') {
    throw new EngineError('COMMAND_NOT_ALLOWED', runMessage('commands_off'), {
      hint: runMessage('commands_off_fix', { usage: commandUsage }),
    })
  }
  if (policy.kind === 'any') return program
  const wanted = realPath(program)
  if (!isAbsolute(program) || !policy.programs.some((allowed) => allowed === program || realPath(allowed) === wanted)) {
    throw new EngineError(
      'COMMAND_NOT_ALLOWED',
      runMessage('program_not_allowed', { program: shortened(program, 200) }),
      {
        hint: runMessage('program_not_allowed_fix', { programs: policy.programs, variable: commandVariable }),
      },
    )
  }
  const odd = Object.keys(env).find(steers)
  if (odd === undefined) return program
  throw new EngineError('COMMAND_NOT_ALLOWED', runMessage('variable_not_allowed', { name: odd }), {
    hint: runMessage('variable_not_allowed_fix', { variable: commandVariable }),
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // it is not there, which its start will say
  }
}

interface Ended {
  code: number | null
  signal: string | null
  begun: boolean
  stdout: OutputTail
  stderr: OutputTail
}

async function runProgram(start: CommandStart, context: KindContext): Promise<Ended> {
  const { io, log, signal } = context
  if (signal.aborted) throw cancelled()
  const [stdout, stderr] = [new OutputTail(), new OutputTail()]
  await checkProgram(start)
  const guard = await startGuard().catch((error: unknown) => {
    throw notStarted('/bin/sh', error)
  })
  if (signal.aborted) {
    guard?.kill('SIGKILL')
    throw cancelled()
  }
  const { child, exit } = begin(start, guard)
  let killTimer: NodeJS.Timeout | undefined
  /** Readers that wait for the log. */
  const waiting = new Set<() => void>()
  const stop = (): void => {
    for (const wake of waiting) wake()
    killGroup(child.pid, 'SIGTERM')
    killTimer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), killAfterMs)
  }
  signal.addEventListener('abort', stop)
  try {
    const room = async (): Promise<void> => {
      if (signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      void io.logRoom().then(resolve)
      await promise
      waiting.delete(resolve)
    }
    const read = Promise.all([
      readOutput(child.stdout, { line: (text) => log('info', text), room }, stdout),
      readOutput(child.stderr, { line: (text) => log('warn', text), room }, stderr),
    ])
    read.catch(() => undefined) // heard by `outputEnd`, unless the program was never started
    const how = await exit.catch((error: unknown) => {
      throw notStarted(start.program, error)
    })
    const progress = (): number => (waiting.size > 0 ? -1 : stdout.bytes + stderr.bytes)
    await outputEnd(read, child, progress, signal.aborted ? 100 : lingerMs)
    return { ...how, stdout, stderr }
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killTimer)
    // What it has started and left running ends with it.
    killGroup(child.pid, 'SIGKILL')
    guard?.kill('SIGKILL')
  }
}

function begin(start: CommandStart, guard: Guard): RunningCommand {
  try {
    return startCommand(start, guard)
  } catch (error) {
    guard?.kill('SIGKILL')
    throw notStarted(start.program, error)
  }
}

/**
 * Its output ends with it, unless something that it has started still holds the other end: then that is ended, too. `progress` is what
 * was read so far, and -1 while that waits for the log.
 */
async function outputEnd(
  read: Promise<unknown>,
  child: CommandChild,
  progress: () => number,
  lingerFor: number,
): Promise<void> {
  let before = progress()
  let idle = 0
  const timer = setInterval(() => {
    const now = progress()
    idle = now === before && now !== -1 ? idle + 1 : 0
    before = now
    if (idle === 1) killGroup(child.pid, 'SIGKILL')
    if (idle < 2) return
    child.stdout.destroy()
    child.stderr.destroy()
  }, lingerFor)
  try {
    await read
  } catch (error) {
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error // else we have closed it
  } finally {
    clearInterval(timer)
  }
}

function ended(program: string, code: number | null, signal: string | null, stderr: OutputTail): EngineError {
  const last = stderr.text().trim().split('\n').at(-1)?.trim() ?? ''
  const how =
    code === null
      ? runMessage('ended_by_signal', { signal: signal ?? '?' })
      : runMessage('ended_with_code', { exit_code: code })
  return new EngineError(
    'COMMAND_FAILED',
    last === ''
      ? runMessage('command_ended', { program: shortened(program, 200), how })
      : runMessage('command_ended_with', { program: shortened(program, 200), how, text: shortened(last, 500) }),
    {
      hint: runMessage('command_failed_fix'),
    },
  )
}
