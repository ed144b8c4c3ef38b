import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Processor time that a process has used so far, as the system tells it; undefined: it does not, or the process is gone. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    if (process.platform !== 'linux') {
      const clock = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 1_000,
      })
        .trim()
        .split(':')
      return clock.reduce((sum, part) => sum * 60 + Number(part), 0)
    }
    const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .split(') ')
      .at(-1)!
      .split(' ')
      .slice(11)
      .map(Number)
    // Counted in hundredths on every Linux that we know.
    return (user + system) / 100
  } catch {
    return undefined
  }
}
