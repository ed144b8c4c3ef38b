import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mine = /^headgate-cli-(\d+)-/

/** A folder of this process for what the engine puts aside. Also removes those of processes that were killed. */
export function makeTemporaryFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(mine.exec(name)?.[1] ?? Number.NaN)
    if (pid > 0 && !isAlive(pid)) removeFolder(join(tmpdir(), name))
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `headgate-cli-${process.pid}-`)))
  process.on('exit', () => removeFolder(folder))
  return folder
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Somebody else's, or still open; the next command tries again.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it lives, and is somebody else's
  }
}
