import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { forkNode } from '../process/child.ts'
import { type ServerMessage, isMessage } from '../process/messages.ts'
import { type ParentChannel, leaveInterruptToParent, parentChannel } from '../process/parent.ts'
import { type Supervisor, superviseChild } from '../process/supervise.ts'
import { type App, createApp } from './app.ts'
import { loadConfig, processSource } from './platform/config.ts'
import { codeOf, removeEndpoint, writeEndpoint } from './platform/data-folder.ts'
import { randomIds } from './platform/ids.ts'
import { keychainOf } from './platform/keychain-client.ts'
import { openPlatformWith } from './platform/open-platform.ts'
import type { Platform } from './platform/platform.ts'
import { StartupError } from './platform/startup-error.ts'
import { serveWindow } from './platform/static-files.ts'

/** What a drain may take, in ms; together below the ten seconds after which whoever asked loses patience. */
const EXECUTOR_DRAIN_MS = 6_000
const REQUESTS_DRAIN_MS = 2_500

const localExecutorName = 'local'

interface Running {
  platform: Platform
  app: App
  url: string
  executor: Supervisor | undefined
}

/** Runs the server in this process until it is told to end. `entry` is the URL of the process's entry module. */
export async function serve(entry: string): Promise<void> {
  const channel = parentChannel()
  // Whoever read our output may go away; the work goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const config = await loadConfig(processSource(() => randomIds.hex(32)))
    const platform = await openPlatformWith(channel?.kind === 'electron' ? keychainOf(channel) : null, config)
    endOnUnexpected(platform)
    const running = await start(platform, entry, channel)
    endOnRequest(running, channel)
    announce(running, channel)
  } catch (error) {
    await fail(error, channel)
  }
}

async function start(platform: Platform, entry: string, channel: ParentChannel | null): Promise<Running> {
  let app: App | undefined
  try {
    app = await createApp(platform)
    serveWindow(app.app, pathFrom(entry, '../renderer', '../../out/renderer'))
    const url = await listen(app, platform)
    const endpoint = { url, pid: process.pid, version: platform.version, started_at: platform.startedAt.toISOString() }
    writeEndpoint(platform.endpointFile, endpoint)
    const supervised = platform.config.localExecutor && channel?.kind !== 'electron'
    return { platform, app, url, executor: supervised ? superviseExecutor(platform, app, url, entry) : undefined }
  } catch (error) {
    await app?.close()
    platform.close()
    throw error
  }
}

/** A path next to the entry: as built in `out/main`, or in the sources. */
function pathFrom(entry: string, built: string, source: string): string {
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
  // Listening on TCP, so the address has a port.
  const address = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${address.port}`
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

function superviseExecutor(platform: Platform, { services }: App, url: string, entry: string): Supervisor {
  const { config, logger } = platform
  const module = pathFrom(entry, './executor.js', '../executor/start.ts')
  return superviseChild({
    fork: () =>
      forkNode(module, {
        name: 'executor',
        args: ['--url', url, '--name', localExecutorName],
        // Never as an argument: those can be seen by everybody on the machine.
        env: { SVC_EXECUTOR_KEY: config.executorKey },
      }),
    drainMs: EXECUTOR_DRAIN_MS,
    onReady: (_message, child) => logger.info({ pid: child.pid }, 'The local executor is ready'),
    onExit: ({ code, signal, error }, restartInMs) => {
      // We saw it end: its runs need not wait for its lease to end as well.
      services.executors.ended(localExecutorName)
      if (restartInMs === null) logger.info({ code, signal }, 'The local executor has ended')
      else
        logger.error({ code, signal, err: error, restart_in_ms: restartInMs }, 'The local executor ended unexpectedly')
    },
  })
}

function announce({ platform, url }: Running, channel: ParentChannel | null): void {
  const ready = { event: 'ready', url, pid: process.pid, version: platform.version } as const
  platform.logger.info({ url, data_dir: platform.config.dataDir }, 'Ready')
  channel?.send({ ...ready, executor_key: platform.config.executorKey } satisfies ServerMessage)
  if (channel?.kind !== 'electron') process.stdout.write(`${JSON.stringify(ready)}\n`)
}

/** SIGTERM, Ctrl-C, the owner's wish and the owner's end all drain. */
function endOnRequest(running: Running, channel: ParentChannel | null): void {
  let draining: Promise<void> | undefined
  const end = (reason: string) => {
    draining ??= drain(running, reason)
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  if (channel) leaveInterruptToParent()
  else process.on('SIGINT', () => end('SIGINT'))
  channel?.onDisconnect(() => end('The owner has gone'))
  channel?.onMessage((message) => {
    if (isMessage(message, 'type', 'drain')) end('Asked by the owner')
    else if (isMessage(message, 'type', 'launch-token')) answerLaunchToken(running, channel, Number(message.id))
  })
}

function answerLaunchToken({ app }: Running, channel: ParentChannel, id: number): void {
  const token = app.services.auth.makeLaunchToken()
  const message = token === null ? 'Signing in from the desktop is turned off (auth.desktop_sign_in).' : undefined
  channel.send({ event: 'launch-token', id, token, message } satisfies ServerMessage)
}

/**
 * In this order: streams and long polls end and new requests are refused, but the executor is still heard, as it may be
 * finishing a run; then it ends; then whatever requests are left; then the store.
 */
async function drain({ platform, app, executor }: Running, reason: string): Promise<void> {
  const { logger } = platform
  logger.info({ reason }, 'Draining')
  try {
    platform.drain()
    await executor?.drain()
    const impatience = setTimeout(() => app.app.server.closeAllConnections(), REQUESTS_DRAIN_MS)
    await app.close()
    clearTimeout(impatience)
    removeEndpoint(platform.endpointFile)
    platform.close()
    logger.info({}, 'Ended')
    process.exit(0)
  } catch (error) {
    logger.error({ err: error }, 'Draining failed')
    process.exit(1)
  }
}

function endOnUnexpected({ logger }: Platform): void {
  // The state is unknown then; whoever supervises us starts us anew, and every answer that was given is on disk.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.error({ err: error }, 'Unexpected error: ending')
      process.exit(1)
    })
  }
}

async function fail(error: unknown, channel: ParentChannel | null): Promise<never> {
  const message = error instanceof StartupError ? error.message : `Unexpected error: ${errorText(error)}`
  process.stderr.write(`headgate: ${message}\n`)
  await channel?.deliver({ event: 'failed', message } satisfies ServerMessage)
  process.exit(1)
}

const errorText = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
