import { shortened } from '../../language/shortened.ts'
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EngineError, codeOf, messageOf } from '../engine/errors.ts'
import type { CommandStart } from './command-process.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** Throws where the program cannot be started, and says why in our words, as far as that can be seen before: the shell that becomes it has its own. */
export async function checkProgram({ program, env, cwd }: CommandStart): Promise<void> {
  // Windows starts it without a shell, and says why not.
  if (process.platform === 'win32') return
  let why = 'ENOENT'
  for (const place of program.includes('/') ? [program] : placesIn(env['PATH'] ?? '/usr/bin:/bin', program)) {
    const path = resolve(cwd, place)
    const problem = await problemOf(path)
    if (problem === null) return checkInterpreter(program, path)
    if (problem !== 'ENOENT' && problem !== 'ENOTDIR') why = problem
  }
  throw notStarted(program, Object.assign(new Error(why), { code: why }))
}

function placesIn(path: string, program: string): string[] {
  return path.split(':').map((folder) => join(folder, program))
}

/** null: it can be run. */
async function problemOf(path: string): Promise<string | null> {
  try {
    if (!(await stat(path)).isFile()) return 'EACCES'
    await access(path, constants.X_OK)
    return null
  } catch (error) {
    return codeOf(error) ?? 'EACCES'
  }
}

async function checkInterpreter(program: string, path: string): Promise<void> {
  const interpreter = /^#![ \t]*(\/[^ \t\n]+)/.exec(await beginningOf(path))?.[1]
  if (interpreter === undefined || (await problemOf(interpreter)) !== 'ENOENT') return
  throw new EngineError('COMMAND_FAILED', runMessage('interpreter_missing', { program: shortened(program, 200) }), {
    hint: runMessage('interpreter_missing_fix', { interpreter: shortened(interpreter, 200) }),
  })
}

/** Empty for a program that may be run and not read. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path).catch(() => null)
  if (!file) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

export function notStarted(program: string, error: unknown): EngineError {
  const shown = shortened(program, 200)
  const reasons: Record<string, [Message, Message]> = {
    ENOENT: [runMessage('program_missing', { program: shown }), runMessage('program_missing_fix')],
    EACCES: [runMessage('program_not_permitted', { program: shown }), runMessage('program_not_permitted_fix')],
    ENOEXEC: [runMessage('not_a_program', { program: shown }), runMessage('not_a_program_fix')],
    E2BIG: [runMessage('arguments_too_long', { program: shown }), runMessage('arguments_too_long_fix')],
  }
  const [message, hint] = reasons[codeOf(error) ?? ''] ?? [
    runMessage('program_not_started', { program: shown, cause: messageOf(error) }),
    runMessage('check_executor_machine'),
  ]
  return new EngineError('COMMAND_FAILED', message, { hint, cause: error })
}

/** The system did not take it for a program, although everything looked right before: `said` is what the shell had to say. */
export function refused(program: string, reason: string): EngineError {
  const why = /^headgate: (?:line )?\d+: (?:exec: )?(.+)$/m.exec(reason)?.[1]
  return new EngineError(
    'COMMAND_FAILED',
    why === undefined
      ? runMessage('program_cannot_start', { program: shortened(program, 200) })
      : runMessage('program_not_started', { program: shortened(program, 200), cause: shortened(why, 500) }),
    {
      hint: runMessage('program_damaged'),
    },
  )
}
