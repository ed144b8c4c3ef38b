import type { ExitInfo, Forker } from '../../process/child.ts'
import { hangWatch, type Hanging } from '../../process/hang-watch.ts'
import type { OwnerMessage } from '../../process/messages.ts'
import { brokerForks } from '../../process/relay.ts'
import { superviseChild, type Supervisor } from '../../process/supervise.ts'
import { restartLine, type ServerProcess, type ServerState } from './server-process.ts'

type Target = Extract<ServerState, { name: 'ready' }>

export interface ExecutorProcess {
  /** False when no executor hears it. */
  send(message: OwnerMessage): boolean
  drain(): Promise<void>
}

export interface ExecutorProcessOptions {
  forker: Forker
  /** Absolute paths of the built `executor.js` and of the `worker.js` that it may have started. */
  entry: string
  workerEntry: string
  server: Pick<ServerProcess, 'onState'>
  log: (text: string) => void
  hanging: Hanging
  supervise?: typeof superviseChild
}

/** Keeps one local executor running from the server's first ready on, and replaces it when the server has moved. */
export function startExecutorProcess(options: ExecutorProcessOptions): ExecutorProcess {
  const { forker, entry, workerEntry, server, log, supervise = superviseChild } = options
  let target: Target | null = null
  let supervisor: Supervisor | null = null
  let drained = false
  const watch = hangWatch({
    ...options.hanging,
    what: 'the executor',
    child: () => supervisor?.child ?? null,
    log: (text) => log(`headgate: ${text}\n`),
  })

  function fork({ url, executorKey }: Target) {
    watch.starts()
    const child = forker(entry, {
      name: 'Headgate executor',
      args: ['--url', url, '--name', 'local'],
      env: { SVC_EXECUTOR_KEY: executorKey },
    })
    brokerForks(child, forker, [workerEntry])
    return child
  }

  function onExit(exit: ExitInfo, restartInMs: number | null): void {
    watch.end()
    if (restartInMs !== null) log(restartLine('executor', exit, restartInMs))
  }

  server.onState((state) => {
    if (state.name !== 'ready' || drained) return
    const moved = target !== null && (target.url !== state.url || target.executorKey !== state.executorKey)
    target = state
    if (!supervisor)
      supervisor = supervise({ fork: () => fork(target!), onReady: watch.ready, onMessage: watch.heard, onExit })
    else if (moved) void supervisor.replace()
  })

  return {
    send: (message) => supervisor?.child?.send(message) ?? false,
    async drain() {
      drained = true
      watch.end()
      await supervisor?.drain()
    },
  }
}
