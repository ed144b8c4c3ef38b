import type { ExitInfo, Forker } from '../process/child.ts'
import type { OwnerMessage } from '../process/messages.ts'
import { brokerForks } from '../process/relay.ts'
import { superviseChild, type Supervisor } from '../process/supervise.ts'
import { restartLine, type ServerProcess, type ServerState } from './server-process.ts'

export interface ExecutorProcess {
  /** False when no executor hears it. */
  tell(message: OwnerMessage): boolean
  drain(): Promise<void>
}

export interface ExecutorProcessOptions {
  forker: Forker
  /** Absolute paths of the built `executor.js` and of the `worker.js` that it may have started. */
  entry: string
  workerEntry: string
  server: Pick<ServerProcess, 'onState'>
  log: (text: string) => void
  supervise?: typeof superviseChild
}

/** Keeps one local executor running from the server's first ready on, and replaces it when the server has moved. */
export function startExecutorProcess(options: ExecutorProcessOptions): ExecutorProcess {
  const { forker, entry, workerEntry, server, log, supervise = superviseChild } = options
  let target: Extract<ServerState, { name: 'ready' }> | null = null
  let supervisor: Supervisor | null = null
  let drained = false

  function fork(url: string, executorKey: string) {
    const child = forker(entry, {
      name: 'Headgate executor',
      args: ['--url', url, '--name', 'local'],
      env: { SVC_EXECUTOR_KEY: executorKey },
    })
    brokerForks(child, forker, [workerEntry])
    return child
  }

  function tellExit(exit: ExitInfo, restartInMs: number | null): void {
    if (restartInMs !== null) log(restartLine('executor', exit, restartInMs))
  }

  server.onState((state) => {
    if (state.name !== 'ready' || drained) return
    const moved = target !== null && (target.url !== state.url || target.executorKey !== state.executorKey)
    target = state
    if (!supervisor) supervisor = supervise({ fork: () => fork(target!.url, target!.executorKey), onExit: tellExit })
    else if (moved) void supervisor.replace()
  })

  return {
    tell: (message) => supervisor?.child?.send(message) ?? false,
    async drain() {
      drained = true
      await supervisor?.drain()
    },
  }
}
