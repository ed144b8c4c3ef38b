import type { Static } from 'typebox'
import type { HealthCheck } from '../../../contract/health.ts'

type Check = Static<typeof HealthCheck>

/** Below this much free space saving may soon fail. */
export const LOW_DISK_BYTES = 200 * 1024 * 1024

/** `problem`: why the store cannot be written, null where it can. */
export function diskCheck(freeBytes: number, problem: string | null): Check {
  if (problem !== null) return { status: 'degraded', message: problem }
  if (freeBytes >= LOW_DISK_BYTES) return { status: 'ok' }
  return { status: 'degraded', message: `Only ${Math.floor(freeBytes / 1_048_576)} MiB are free in the data folder` }
}

export function executorsCheck({ online, lost }: { online: number; lost: number }): Check {
  if (online === 0) return { status: 'degraded', message: 'No executor is online: runs wait' }
  if (lost > 0) return { status: 'degraded', message: `${lost} executor${lost === 1 ? ' is' : 's are'} lost` }
  return { status: 'ok' }
}

/** Triggers that are due for longer than this: something keeps them from being fired. */
const LATE_MS = 60_000

export function schedulerCheck(lateMs: number): Check {
  if (lateMs <= LATE_MS) return { status: 'ok' }
  return { status: 'degraded', message: `Triggers are ${Math.round(lateMs / 1_000)} s late` }
}

export const overall = (checks: Check[]): 'ok' | 'degraded' =>
  checks.some(({ status }) => status === 'degraded') ? 'degraded' : 'ok'
