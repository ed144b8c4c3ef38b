import { letHeapGrow } from '../process/heap-growth.ts'
import { type ServerMessage, isMessage } from '../process/messages.ts'
import { type ParentChannel, leaveInterruptToParent, parentChannel } from '../process/parent.ts'
import { createLocalExecutor } from './local-executor.ts'
import { readArguments } from './platform/config.arguments.ts'
import { type Config, loadConfig, processSource } from './platform/config.ts'
import { acceptLossBeforeStart, restoreBeforeStart } from './platform/damaged-store.ts'
import { randomIds } from './platform/ids.ts'
import { keychainOf } from './platform/keychain-client.ts'
import type { Logger } from './platform/logger.ts'
import { StartupError } from './platform/startup-error.ts'
import type { Loss } from './platform/store-head.ts'
import { type Running, type Surroundings, bringUp, takeDown } from './serving.ts'

/** Percent. More would make exports no faster, and their memory is to stay flat. */
const heapGrowth = 100

/** Runs the server in this process until it is told to end. `entry` is the URL of the process's entry module. */
export async function serve(entry: string): Promise<void> {
  const channel = parentChannel()
  letHeapGrow(heapGrowth)
  // Whoever read our output may go away; the work goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    await new Serving(entry, channel).begin()
  } catch (error) {
    await fail(error, channel)
  }
}

/** The one server of this process, through all its restarts. */
class Serving {
  readonly #channel: ParentChannel | null
  readonly #surroundings: Surroundings
  readonly #executor: ReturnType<typeof createLocalExecutor> | null
  readonly #source
  readonly #first = Promise.withResolvers<Running>()
  /** The server, or the one that is coming up. When the first one cannot, the process ends. */
  #running: Promise<Running> = this.#first.promise
  #port: { wanted: number; got: number } | undefined
  #ending = false
  #logger: Logger | undefined

  constructor(entry: string, channel: ParentChannel | null) {
    this.#channel = channel
    // One for as long as the process lives: executors stay known when the server starts anew.
    const key = randomIds.hex(32)
    this.#source = processSource(() => key)
    this.#executor = channel?.kind === 'electron' ? null : createLocalExecutor(entry)
    this.#surroundings = {
      entry,
      keychain: channel?.kind === 'electron' ? keychainOf(channel) : null,
      restarter: { check: async () => void (await this.#load()), restart: (reason) => this.#restart(reason) },
    }
  }

  async begin(): Promise<void> {
    this.#endOnUnexpected()
    this.#hearOwner()
    const config = await this.#load()
    const { restore, acceptLoss } = readArguments(this.#source.argv)
    const accepted = acceptLoss === undefined ? undefined : acceptLossBeforeStart(config, acceptLoss)
    const restored = restore === undefined ? undefined : restoreBeforeStart(config, restore, new Date())
    const running = await bringUp(config, this.#surroundings)
    if (restored) running.platform.logger.warn(restored, 'The store is the one of a backup now')
    if (accepted) reportAccepted(running, accepted)
    this.#first.resolve(running)
    // Before anybody hears that it is up: he may end it at once.
    this.#endOnRequest()
    this.#announce(running)
  }

  async #load(): Promise<Config> {
    const config = await loadConfig(this.#source)
    // Any free port, or another as the wanted one was taken: windows and executors know the one that it was.
    if (this.#port?.wanted !== config.port) return config
    config.port = this.#port.got
    return config
  }

  #restart(reason: string): void {
    if (this.#ending) return
    const before = this.#running
    this.#running = before.then((old) => this.#startAnew(old, reason))
    this.#running.catch((error: unknown) => fail(error, this.#channel))
  }

  async #startAnew(old: Running, reason: string): Promise<Running> {
    old.platform.logger.info({ reason }, 'Restarting')
    this.#channel?.send({ event: 'starts-anew' } satisfies ServerMessage)
    await takeDown(old)
    const running = await this.#bringUpAgain(old)
    this.#announce(running)
    return running
  }

  /** With the settings as they are now; when that is impossible, as it was before. */
  async #bringUpAgain(old: Running): Promise<Running> {
    try {
      return await bringUp(await this.#load(), this.#surroundings)
    } catch (error) {
      old.platform.logger.error(
        { err: error },
        'The server did not start with the new settings, so it continues with the previous ones',
      )
      const { config } = old.platform
      config.port = this.#port?.got ?? config.port
      return bringUp(config, this.#surroundings)
    }
  }

  #announce(running: Running): void {
    const { platform, url } = running
    const { config, logger, version } = platform
    this.#logger = logger
    const got = Number(new URL(url).port)
    if (config.port !== got || !this.#port) this.#port = { wanted: config.port, got }
    this.#executor?.serve(running)
    const ready = { event: 'ready', url, pid: process.pid, version } as const
    logger.info({ url, data_dir: config.dataDir }, 'Ready')
    this.#channel?.send({ ...ready, executor_key: config.executorKey } satisfies ServerMessage)
    const { services } = running.app
    if (this.#channel) services.owner.report((message) => this.#channel?.send(message))
    if (this.#channel?.kind !== 'electron') process.stdout.write(`${JSON.stringify(ready)}\n`)
  }

  /** SIGTERM, Ctrl-C, the owner's wish and the owner's end all drain. */
  #endOnRequest(): void {
    const channel = this.#channel
    process.on('SIGTERM', () => void this.#end('SIGTERM'))
    if (channel) leaveInterruptToParent()
    else process.on('SIGINT', () => void this.#end('SIGINT'))
  }

  /** From the first moment on: what is not for a server that comes up waits until it is. */
  #hearOwner(): void {
    const channel = this.#channel
    channel?.onDisconnect(() => void this.#end('The owner has gone'))
    channel?.onMessage((message) => {
      if (isMessage(message, 'type', 'drain')) void this.#end('Asked by the owner')
      else if (isMessage(message, 'type', 'launch-token')) void this.#answerLaunchToken(channel, Number(message.id))
      else if (isMessage(message, 'type', 'pause-scheduler')) void this.#pauseScheduler(message.paused === true)
      else if (isMessage(message, 'type', 'hand-out')) void this.#handOut(message.on === true)
      else if (isMessage(message, 'type', 'woke')) void this.#woke()
      else if (isMessage(message, 'type', 'ping')) channel.send({ event: 'pong' } satisfies ServerMessage)
    })
  }

  async #answerLaunchToken(channel: ParentChannel, id: number): Promise<void> {
    const { app } = await this.#running
    const token = app.services.auth.makeLaunchToken()
    const message = token === null ? 'Signing in from the desktop is turned off (auth.desktop_sign_in).' : undefined
    channel.send({ event: 'launch-token', id, token, message } satisfies ServerMessage)
  }

  async #pauseScheduler(paused: boolean): Promise<void> {
    const { app, platform } = await this.#running
    try {
      app.services.scheduler.setByOwner(paused)
    } catch (error) {
      // The pulse still says how it is.
      platform.logger.error({ err: error, paused }, 'Schedules could not be paused or resumed from the tray')
    }
  }

  async #handOut(on: boolean): Promise<void> {
    const { app } = await this.#running
    app.services.executors.hold(!on)
  }

  async #woke(): Promise<void> {
    const { app, platform } = await this.#running
    const { executors, triggers, eventTriggers } = app.services
    platform.logger.info({}, 'The machine was asleep')
    executors.afterSleep()
    triggers.scheduler.lookNow()
    eventTriggers.lookNow()
  }

  /** The executor goes first: it may be finishing a run, and is heard while it does. */
  async #end(reason: string): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    const running = await this.#running
    const { logger } = running.platform
    logger.info({ reason }, 'Draining')
    try {
      await takeDown(running, () => this.#executor?.drain() ?? Promise.resolve())
      logger.info({}, 'Ended')
      process.exit(0)
    } catch (error) {
      logger.error({ err: error }, 'Draining failed')
      process.exit(1)
    }
  }

  #endOnUnexpected(): void {
    // The state is unknown then; whoever supervises us starts us anew, and every answer that was given is on disk.
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        if (this.#logger) this.#logger.error({ err: error }, 'Unexpected error: ending')
        else process.stderr.write(`headgate: Unexpected error: ${errorText(error)}\n`)
        process.exit(1)
      })
    }
  }
}

function reportAccepted({ platform }: Running, loss: Loss): void {
  platform.audit.system({
    operation: 'acceptedLoss',
    entity: 'store',
    entity_name: `${loss.lost} changes by ${loss.until}`,
  })
  platform.logger.warn({ ...loss }, 'Continuing without changes that were saved and lost')
}

async function fail(error: unknown, channel: ParentChannel | null): Promise<never> {
  const message = error instanceof StartupError ? error.message : `Unexpected error: ${errorText(error)}`
  const { restore, accept } = error instanceof StartupError ? error : {}
  process.stderr.write(`headgate: ${message}\n`)
  await channel?.deliver({
    event: 'failed',
    message,
    ...(restore && { restore }),
    ...(accept && { accept }),
  } satisfies ServerMessage)
  process.exit(1)
}

const errorText = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
