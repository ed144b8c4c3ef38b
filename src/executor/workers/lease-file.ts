import { renameSync, writeFileSync } from 'node:fs'
import type { Log } from '../log.ts'

/**
 * Until when the executor's lease goes, for the watchdogs of its workers: nanoseconds of the monotonic clock, which all processes of a
 * machine share; 0: for as long as the executor lives. Put in place whole. Without it workers still hear of the lease when they listen.
 */
export function writeLease(path: string, leaseMs: number | null, log: Log): void {
  const until = leaseMs === null ? 0n : process.hrtime.bigint() + BigInt(Math.max(0, Math.round(leaseMs))) * 1_000_000n
  try {
    writeFileSync(`${path}.new`, String(until))
    renameSync(`${path}.new`, path)
  } catch (error) {
    log.warn('The lease could not be written for busy workers', { cause: String(error) })
  }
}
