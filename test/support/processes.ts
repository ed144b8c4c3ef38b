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

/** Every process that `pid` has started, and what those have started, as far as they still run. */
export function descendants(pid: number): number[] {
  const parentOf = new Map(listProcesses())
  const isBelow = (one: number): boolean => {
    for (let at = parentOf.get(one); at; at = parentOf.get(at)) if (at === pid) return true
    return false
  }
  return [...parentOf.keys()].filter((one) => isBelow(one) && !isGone(one))
}

/** Direct children of a process that are alive. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return listProcesses().flatMap(([own, parent]) => (parent === pid ? [own] : []))
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Pairs of a process and its parent. */
function listProcesses(): [number, number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return [pid, parent]
  })
}

/** The most memory that a process has held so far, in MB; Linux only. */
export function peakMemoryMb(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (peak === undefined) throw new Error(`/proc/${pid}/status names no VmHWM`)
  return Number(peak) / 1024
}
