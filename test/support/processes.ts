import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** True when the process has ended. A zombie counts: in a container nobody may be there to collect orphans. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return true
  }
  return stateOf(pid) === 'Z'
}

function stateOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })[0]
  try {
    // `pid (command) state …`: the command may hold blanks and brackets.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
  } catch {
    return 'Z'
  }
}
