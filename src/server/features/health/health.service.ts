import { statfsSync } from 'node:fs'
import type { Health } from '../../../contract/health.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkDatabase } from './health.store.ts'
import { diskCheck, executorsCheck, overall, schedulerCheck } from './health.rules.ts'

export interface ExecutorsSummary {
  online: number
  /** Registered but without a heartbeat. */
  lost: number
}

interface Dependencies {
  executors: () => ExecutorsSummary
  /** How long the most overdue trigger has been due. */
  schedulerLateMs: () => number
}

export type HealthService = ReturnType<typeof createHealthService>

export function createHealthService(platform: Platform, deps: Dependencies) {
  const { config, store, clock, startedAt, version } = platform
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(config.dataDir)
    return bavail * bsize
  }
  return {
    check(): Health {
      const checks = {
        database: checkDatabase(store),
        scheduler: schedulerCheck(deps.schedulerLateMs()),
        executors: executorsCheck(deps.executors()),
        disk: diskCheck(freeBytes(), store.condition.problem?.message ?? null),
      }
      const uptime_ms = Math.max(0, clock.now().getTime() - startedAt.getTime())
      return { status: overall(Object.values(checks)), version, uptime_ms, checks }
    },
  }
}
