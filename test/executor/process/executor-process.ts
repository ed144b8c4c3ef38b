import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { forkNode, type ChildHandle, type ExitInfo } from '../../../src/process/child.ts'
import { executorKey, type FakeControlPlane } from './fake-control-plane.ts'

export interface ExecutorProcess {
  child: ChildHandle
  /** What it has written to stderr so far. */
  output: () => string
  exit: Promise<ExitInfo>
  /** Pids of its workers. */
  workers: () => number[]
}

/** Starts an executor process with the worker of the tests. */
export function startExecutorProcess(
  controlPlane: Pick<FakeControlPlane, 'url'>,
  args: string[] = [],
  env: Record<string, string | undefined> = { SVC_EXECUTOR_KEY: executorKey },
): ExecutorProcess {
  let text = ''
  const child = forkNode(join(import.meta.dirname, 'children', 'fake-executor.ts'), {
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

/** Direct children of a process that are alive. */
export function childrenOf(pid: number): number[] {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    } catch {
      return []
    }
  }
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return all
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([own, parent]) => (parent === pid ? [own!] : []))
}
