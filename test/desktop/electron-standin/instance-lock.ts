import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SecondInstance {
  argv: string[]
  cwd: string
  additionalData: unknown
}

export interface InstanceLock {
  release(): void
}

/**
 * One app per `folder`: the first holds a file with its pid and watches an inbox; a later one leaves its command line there
 * and gets null.
 */
export function takeInstanceLock(
  folder: string,
  additionalData: unknown,
  onSecond: (second: SecondInstance) => void,
): InstanceLock | null {
  const file = join(folder, 'standin.lock')
  const inbox = join(folder, 'standin.inbox')
  mkdirSync(inbox, { recursive: true })
  if (isHeld(file)) {
    const letter = join(inbox, `${process.pid}.json`)
    // Renamed into place: the reader must not see it half written.
    const second: SecondInstance = { argv: process.argv, cwd: process.cwd(), additionalData }
    writeFileSync(`${letter}.part`, JSON.stringify(second))
    renameSync(`${letter}.part`, letter)
    return null
  }
  writeFileSync(file, String(process.pid))
  const watcher = watch(inbox, () => {
    for (const name of readdirSync(inbox).filter((one) => one.endsWith('.json'))) {
      const second = JSON.parse(readFileSync(join(inbox, name), 'utf8')) as SecondInstance
      rmSync(join(inbox, name))
      onSecond(second)
    }
  })
  watcher.unref()
  return {
    release() {
      watcher.close()
      rmSync(file, { force: true })
    },
  }
}

function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}
