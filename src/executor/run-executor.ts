import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { availableParallelism, homedir, hostname } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { connectorTypes } from '../contract/connector-types.ts'
import { mostResults } from '../contract/executor-results.ts'
import { letHeapGrow } from '../process/heap-growth.ts'
import { isMessage } from '../process/messages.ts'
import { leaveInterruptToParent, parentChannel, type ParentChannel } from '../process/parent.ts'
import { workerForker } from '../process/relay.ts'
import { ConfigError, readConfig, usage, type ExecutorConfig } from './config.ts'
import { createControlPlaneClient } from './control/control-plane-client.ts'
import { startExecutor, type Executor } from './executor.ts'
import { jsonLog, type Log } from './log.ts'
import type { Identity } from './control/registration.ts'
import type { Pools } from './control/work-in-hand.ts'
import { makeTempDir, removeTempDir } from './temp-dir.ts'
import { createWorkerPool, type WorkerPool } from './workers/worker-pool.ts'

const CALL_SLOTS = 2
const CLAIM_WAIT_MS = 25_000
const RECYCLE = { after: 5_000, rssBytes: 600 * 1024 * 1024 }
const IDLE_MS = 60_000
/** JavaScript's own memory in a worker; the rows are DuckDB's, which has a limit of its own. */
const WORKER_HEAP_MB = 512
/** Percent. The executor only passes bytes on: little of what it has lives. */
const HEAP_GROWTH = 300

/** The executor process: reads its configuration, works until it is told to end, and exits. */
export async function runExecutor(workerEntry: string): Promise<void> {
  const channel = parentChannel()
  letHeapGrow(HEAP_GROWTH)
  const args = process.argv.slice(2)
  if (args.includes('--help')) return void process.stdout.write(usage)
  const config = await configOrExit(args, channel)
  process.title = `headgate executor ${config.name}`
  const log = jsonLog((line) => process.stderr.write(line), { process: 'executor', executor_name: config.name })
  const tempDir = makeTempDir(log)
  process.on('exit', () => removeTempDir(tempDir, log))
  const pools = makePools(config, workerEntry, tempDir, channel, log)
  const executor = startExecutor({
    identity: identityOf(config),
    client: createControlPlaneClient({ url: config.url, key: () => config.key }),
    pools,
    callSlots: CALL_SLOTS,
    waitMs: CLAIM_WAIT_MS,
    graceMs: config.graceMs,
    log,
    onOnline: ({ id }) => void channel?.send({ event: 'ready', id, name: config.name, url: config.url().href }),
    onRejected: (reason) => void fail(reason.message, channel),
  })
  endOnRequest(executor, pools, channel, log)
}

async function configOrExit(args: string[], channel: ParentChannel | null): Promise<ExecutorConfig> {
  try {
    return readConfig({
      args,
      env: process.env,
      platform: process.platform,
      home: homedir(),
      hostname: hostname(),
      cores: availableParallelism(),
    })
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message, channel)
    throw error
  }
}

async function fail(message: string, channel: ParentChannel | null): Promise<never> {
  process.stderr.write(`executor: ${message}\n`)
  await channel?.deliver({ event: 'failed', message })
  process.exit(1)
}

function identityOf({ name, slots, labels, commands }: ExecutorConfig): Identity {
  const kinds = ['pipeline', 'sql', 'http', 'script', ...(commands.kind === 'none' ? [] : ['command'])]
  const capabilities = [...connectorTypes, ...kinds]
  return { name, version: manifest.version, capabilities, labels, slots, instance: randomUUID() }
}

function makePools(
  { slots }: ExecutorConfig,
  workerEntry: string,
  tempDir: string,
  channel: ParentChannel | null,
  log: Log,
): Pools {
  const forker = workerForker(channel)
  const pool = (title: string, max: number, warm: number): WorkerPool => {
    const folder = join(tempDir, title.replace(' ', '-'))
    mkdirSync(folder)
    const execArgv = [`--max-old-space-size=${WORKER_HEAP_MB}`]
    // Libraries print what users wrote: as a value it can't pass for a line of our own.
    const print = (name: string) => (output: string) => log.warn('A worker printed', { worker: name, output })
    const fork = (name: string) => forker(workerEntry, { name, execArgv, output: print(name) })
    return createWorkerPool({ title, fork, tempDir: folder, max, warm, recycle: RECYCLE, idleMs: IDLE_MS, log })
  }
  return {
    runs: pool('run worker', slots, Math.min(slots, Math.max(2, availableParallelism()))),
    calls: pool('call worker', CALL_SLOTS, 1),
    // Started by the first query and kept while queries come.
    results: pool('result worker', mostResults, 0),
  }
}

/** SIGTERM, the owner's word and the owner's end all mean the same: finish in order. */
function endOnRequest(executor: Executor, pools: Pools, channel: ParentChannel | null, log: Log): void {
  let ending = false
  const end = async (why: string): Promise<void> => {
    if (ending) return
    ending = true
    log.info('Ending', { why })
    await executor.drain()
    await Promise.all(Object.values(pools).map((pool) => pool.close()))
    process.exit(0)
  }
  channel?.onMessage((message) => {
    if (isMessage(message, 'type', 'drain')) void end('the owner asked for it')
    else if (isMessage(message, 'type', 'sleeps')) executor.sleep()
    else if (isMessage(message, 'type', 'woke')) executor.wake()
    else if (isMessage(message, 'type', 'ping')) channel.send({ event: 'pong' })
  })
  channel?.onDisconnect(() => void end('the owner is gone'))
  process.on('SIGTERM', () => void end('SIGTERM'))
  if (channel) return leaveInterruptToParent()
  process.on('SIGINT', () => {
    // Pressed twice: whoever waits has waited enough.
    if (ending) process.exit(130)
    void end('SIGINT')
  })
}
