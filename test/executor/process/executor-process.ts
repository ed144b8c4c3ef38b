import { join } from 'node:path'
import { forkNode, type ChildHandle, type ExitInfo } from '../../../src/process/child.ts'
import { buildChildren } from '../../support/built-children.ts'
import { childrenOf } from '../../support/processes.ts'
import { executorKey, type FakeControlPlane } from './fake-control-plane.ts'

export interface ExecutorProcess {
  child: ChildHandle
  /** What it has written to stderr so far. */
  output: () => string
  exit: Promise<ExitInfo>
  /** Pids of its workers. */
  workers: () => number[]
}

const built = await buildChildren(
  ['fake-executor', 'fake-worker', 'owner'].map((name) => join(import.meta.dirname, 'children', `${name}.ts`)),
)

/** A process that starts an executor, as the server does. */
export const executorOwner = built('owner')

/** Starts an executor process with the worker of the tests. */
export function startExecutorProcess(
  controlPlane: Pick<FakeControlPlane, 'url'>,
  args: string[] = [],
  env: Record<string, string | undefined> = { SVC_EXECUTOR_KEY: executorKey },
): ExecutorProcess {
  let text = ''
  const child = forkNode(built('fake-executor'), {
    name: 'executor',
    args: ['--url', controlPlane.url, '--name', 'test', '--slots', '2', '--grace', '1', ...args],
    env,
    output: (chunk) => (text += chunk),
  })
  return {
    child,
    output: () => text,
    exit: new Promise((resolve) => child.onExit(resolve)),
    workers: () => (child.pid === undefined ? [] : childrenOf(child.pid)),
  }
}
