import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from './log.ts'

const NAME = /^headgate-executor-(\d+)-/

/** A folder of this process for what its workers put aside. Also removes those of processes that were killed. */
export function makeTempDir(log: Log): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN)
    if (pid > 0 && !isAlive(pid)) removeTempDir(join(tmpdir(), name), log)
  }
  return realpathSync(mkdtempSync(join(tmpdir(), `headgate-executor-${process.pid}-`)))
}

export function removeTempDir(path: string, log: Log): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    log.warn('A temporary folder could not be removed', { folder: path, cause: String(error) })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
