import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/server/platform/clock.ts'
import type { Config } from '../../src/server/platform/config.ts'
import type { Logger } from '../../src/server/platform/logger.ts'
import { type PlatformParts, openPlatform } from '../../src/server/platform/open-platform.ts'
import type { Platform } from '../../src/server/platform/platform.ts'
import { putMigratedStore } from './migrated-store.ts'
import { quickPasswords, testConfig } from './server.ts'

/** A clock that stands still until told. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export function createTestClock(start = '2026-03-01T08:00:00.000Z'): TestClock {
  let now = Date.parse(start)
  let monotonic = 1_000
  return {
    now: () => new Date(now),
    iso: () => new Date(now).toISOString(),
    monotonic: () => monotonic,
    advance(ms) {
      now += ms
      monotonic += ms
    },
  }
}

export const quietLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => quietLogger,
}

export interface TestPlatform {
  platform: Platform
  dataDir: string
  close(): void
}

/** A platform in a temporary data folder. */
export async function openTestPlatform(
  parts: PlatformParts & { config?: Partial<Config> } = {},
): Promise<TestPlatform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'))
  putMigratedStore(dataDir, parts.clock)
  const usual = { logger: quietLogger, passwordCost: quickPasswords }
  const platform = openPlatform(await testConfig(dataDir, parts.config), { ...usual, ...parts })
  return {
    platform,
    dataDir,
    close() {
      platform.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
