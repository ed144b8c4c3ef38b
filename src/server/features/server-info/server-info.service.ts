import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { ServerInfo } from '../../../contract/server.ts'
import type { Platform } from '../../platform/platform.ts'
import { interfaceVersion } from '../../platform/version.ts'

export type ServerInfoService = ReturnType<typeof createServerInfoService>

export function createServerInfoService(platform: Platform) {
  const { config, clock, databaseFile, schemaVersion, startedAt, version } = platform
  return {
    read: (): ServerInfo => ({
      version,
      interface_version: interfaceVersion,
      data_dir: config.dataDir,
      demo_database: demoDatabase(config.dataDir),
      started_at: startedAt.toISOString(),
      uptime_ms: Math.max(0, clock.now().getTime() - startedAt.getTime()),
      pid: process.pid,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      database: {
        path: databaseFile,
        bytes: sizeOf(databaseFile) + sizeOf(`${databaseFile}-wal`),
        schema_version: schemaVersion,
      },
      memory_bytes: process.memoryUsage.rss(),
      totp_required: config.totpRequired,
      ai_configured: config.ai.apiKey !== null,
    }),
  }
}

/** Connectors can't write to the data folder, so the demo's database is created next to it if that's possible. */
function demoDatabase(dataDir: string): string {
  const name = `${basename(dataDir)}-demo.db`
  try {
    accessSync(dirname(dataDir), constants.W_OK | constants.X_OK)
    return join(dirname(dataDir), name)
  } catch {
    return join(tmpdir(), name)
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
