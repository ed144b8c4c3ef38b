import { type Forker, forkNode } from '../process/child.ts'
import { cpuSeconds } from '../process/cpu-seconds.ts'
import { hangWatch, type Hanging } from '../process/hang-watch.ts'
import { type Supervisor, superviseChild } from '../process/supervise.ts'
import { type Running, pathFrom } from './serving.ts'

const EXECUTOR_DRAIN_MS = 6_000
const localExecutorName = 'local'

/** The executor on this machine of a server that has no other owner. It outlives a server that starts anew. */
export interface LocalExecutor {
  /** The server is up, perhaps elsewhere, with another key, or with other settings. */
  serve(running: Running): void
  drain(): Promise<void>
}

export function createLocalExecutor(
  entry: string,
  hanging: Hanging = { cpuSeconds },
  fork: Forker = forkNode,
): LocalExecutor {
  const module = pathFrom(entry, './executor.js', '../executor/start.ts')
  let current: { running: Running; url: string; key: string } | undefined
  let supervisor: Supervisor | undefined

  function supervise(): Supervisor {
    const watch = hangWatch({
      ...hanging,
      what: 'The local executor',
      child: () => supervised.child,
      log: (text) => logger().error({}, text),
    })
    const supervised = superviseChild({
      fork() {
        watch.starts()
        return fork(module, {
          name: 'executor',
          args: ['--url', current!.url, '--name', localExecutorName],
          // Never as an argument: those can be seen by everybody on the machine.
          env: { SVC_EXECUTOR_KEY: current!.key },
        })
      },
      drainMs: EXECUTOR_DRAIN_MS,
      onReady(_message, child) {
        watch.ready()
        logger().info({ pid: child.pid }, 'The local executor is ready')
      },
      onMessage: watch.heard,
      onExit({ code, signal, error }, restartInMs) {
        watch.end()
        ended()
        if (restartInMs === null) logger().info({ code, signal }, 'The local executor has ended')
        else
          logger().error(
            { code, signal, err: error, restart_in_ms: restartInMs },
            'The local executor ended unexpectedly',
          )
      },
    })
    return supervised
  }

  const logger = () => current!.running.platform.logger

  /** We saw it end: its runs need not wait for its lease to end as well. */
  function ended(): void {
    const { platform, app } = current!.running
    // Between two servers nobody is there to be told; the next one finds out by the lease.
    if (platform.store.sqlite.open) app.services.executors.ended(localExecutorName)
  }

  return {
    serve(running) {
      const { url, platform } = running
      const before = current
      current = { running, url, key: platform.config.executorKey }
      if (!platform.config.localExecutor) {
        void supervisor?.drain()
        supervisor = undefined
      } else if (!supervisor) supervisor = supervise()
      else if (before?.url !== current.url || before.key !== current.key) void supervisor.replace()
    },
    drain: () => supervisor?.drain() ?? Promise.resolve(),
  }
}
