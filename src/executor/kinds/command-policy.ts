import { delimiter, isAbsolute } from 'node:path'

/** Which programs tasks of kind `command` may start on this machine. Its owner says so; nobody else can. */
export type CommandPolicy = { kind: 'none' } | { kind: 'any' } | { kind: 'listed'; programs: string[] }

/** The variable of the executor's environment that holds it. */
export const commandVariable = 'HEADGATE_EXECUTOR_COMMANDS'

export const commandUsage = `${commandVariable}=true allows every program, ${commandVariable}=/usr/bin/rsync${delimiter}/usr/bin/tar these alone`

/** null: what stands there is neither. */
export function readCommandPolicy(env: Record<string, string | undefined>): CommandPolicy | null {
  const written = env[commandVariable]?.trim() ?? ''
  if (written === '' || written === 'false') return { kind: 'none' }
  if (written === 'true') return { kind: 'any' }
  const programs = written
    .split(delimiter)
    .map((program) => program.trim())
    .filter(Boolean)
  return programs.every((program) => isAbsolute(program)) ? { kind: 'listed', programs } : null
}
