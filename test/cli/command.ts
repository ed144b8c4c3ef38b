import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import { entryOf } from '../support/entries.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own with these files, removed after the test. */
export function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-command-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

export interface Finished {
  code: number | null
  out: string
  err: string
  pid: number
}

export interface CommandOptions {
  stdin?: string
  env?: Record<string, string>
  /** Options of Node itself. */
  node?: string[]
  /** Sent once standard error holds `when`. */
  interrupt?: { when: string; signal: NodeJS.Signals; again?: boolean }
}

/** Runs the `headgate` command in a folder, as a shell would. */
export async function headgate(folder: string, args: string[], options: CommandOptions = {}): Promise<Finished> {
  const child = spawn(process.execPath, [...(options.node ?? []), entryOf('headgate'), ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined) // it may end without reading
  child.stdin.end(options.stdin ?? '')
  const { interrupt } = options
  let told = ''
  if (interrupt) {
    child.stderr.on('data', (chunk: Buffer) => {
      const before = told.includes(interrupt.when)
      told += chunk.toString()
      if (before || !told.includes(interrupt.when)) return
      child.kill(interrupt.signal)
    })
  }
  const exited = new Promise<number | null>((done) => void child.once('exit', done))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { code, out, err, pid: child.pid ?? 0 }
}
