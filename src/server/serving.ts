import { publicPage } from './features/public-dashboards/public-dashboards.routes.ts'
import { fileURLToPath } from 'node:url'
import { type App, createApp } from './app.ts'
import type { Config } from './platform/config.ts'
import { listeningUrl } from './platform/listening-url.ts'
import { codeOf, removeEndpoint, writeEndpoint } from './platform/data-folder.ts'
import type { Keychain } from './platform/key-keeper.ts'
import { openPlatformWith } from './platform/open-platform.ts'
import type { Platform, Restarter } from './platform/platform.ts'
import { confirmRestore, undoRestore } from './platform/restore-journal.ts'
import { damagedStore, isDamage } from './platform/damaged-store.ts'
import { StartupError } from './platform/startup-error.ts'
import { serveWindow } from './platform/static-files.ts'

/** What requests that are under way may take when the server ends, in ms. */
const REQUESTS_DRAIN_MS = 2_500

/** A server that listens. */
export interface Running {
  platform: Platform
  app: App
  url: string
}

export interface Surroundings {
  /** URL of the entry module of this process. */
  entry: string
  keychain: Keychain | null
  restarter: Restarter
}

/** Opens the store and listens. A backup that turns out not to open is given up again for the store that was before. */
export async function bringUp(config: Config, surroundings: Surroundings): Promise<Running> {
  const { platform, app } = await openApp(config, surroundings)
  try {
    serveWindow(app.app, pathFrom(surroundings.entry, '../renderer', '../../out/renderer'), (token, reply) =>
      publicPage(app.services.publicDashboards, token, reply),
    )
    const url = await listen(app, platform)
    const endpoint = { url, pid: process.pid, version: platform.version, started_at: platform.startedAt.toISOString() }
    writeEndpoint(platform.endpointFile, endpoint)
    return { platform, app, url }
  } catch (error) {
    await app.close()
    platform.close()
    throw error
  }
}

async function openApp(config: Config, surroundings: Surroundings): Promise<Pick<Running, 'platform' | 'app'>> {
  try {
    const opened = await openOnce(config, surroundings)
    if (opened.platform.restored) confirmRestore(config.dataDir)
    return opened
  } catch (error) {
    if (!undoRestore(config.dataDir)) throw error
    const opened = await openOnce(config, surroundings)
    opened.platform.audit.system({ operation: 'restoredBackup', entity: 'backup', error: 'INVALID_STATE' })
    opened.platform.logger.error({ err: error }, 'The restored backup did not open: the store is the one from before')
    return opened
  }
}

async function openOnce(config: Config, { keychain, restarter }: Surroundings) {
  const platform = await openPlatformWith(keychain, config)
  platform.restarter.current = restarter
  try {
    return { platform, app: await createApp(platform) }
  } catch (error) {
    platform.close()
    // Damage may show only where a part of the server reads its own table.
    throw isDamage(error) ? damagedStore(config, platform.store.sqlite.name, error) : error
  }
}

/**
 * Streams and long polls end and new requests are refused, while executors are still heard; `meanwhile` may wait for one.
 * Then whatever requests are left, then the store.
 */
export async function takeDown({ platform, app }: Running, meanwhile?: () => Promise<void>): Promise<void> {
  platform.drain()
  await meanwhile?.()
  const impatience = setTimeout(() => app.app.server.closeAllConnections(), REQUESTS_DRAIN_MS)
  await app.close()
  clearTimeout(impatience)
  removeEndpoint(platform.endpointFile)
  platform.close()
}

/** A path next to the entry: as built in `out/main`, or in the sources. */
export function pathFrom(entry: string, built: string, source: string): string {
  return fileURLToPath(new URL(entry.endsWith('.ts') ? source : built, entry))
}

async function listen({ app }: App, { config, logger }: Platform): Promise<string> {
  const { host, port, portFallback } = config
  try {
    await app.listen({ host, port })
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE' || !portFallback || port === 0) throw explainListen(error, host, port)
    logger.warn({ port }, 'The port is taken: using a free one')
    await app.listen({ host, port: 0 })
  }
  return listeningUrl(app.server.address(), host)
}

function explainListen(error: unknown, host: string, port: number): unknown {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program. Choose another with --port N (or SVC_PORT), or --port 0 for any free one.`,
    EACCES: `Port ${port} may not be used by this account. Choose one above 1023 with --port N.`,
    EADDRNOTAVAIL: `This computer has no address ${host}. Give one that it has with --host (or server.host).`,
    ENOTFOUND: `The address ${host} is not known. Give 127.0.0.1, 0.0.0.0 or an address of this computer.`,
  }
  const reason = reasons[codeOf(error)]
  return reason ? new StartupError(reason, error) : error
}
