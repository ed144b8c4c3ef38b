import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment, OUT } from './launch.ts'

export interface Headless {
  url: string
  stop(): Promise<void>
}

/** A server without a window on `dataDir`, as `npm run serve` starts it. */
export async function startHeadless(dataDir: string, env: Record<string, string> = {}): Promise<Headless> {
  const args = [join(OUT, 'main/server.js'), '--data-dir', dataDir, '--port', '0', '--no-executor']
  const child = spawn(process.execPath, args, { env: environment(env), stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line') as Promise<[string]>, exited])
  if (typeof first[0] !== 'string') throw new Error(`The headless server ended with ${first[0]} before it was ready.`)
  const { url } = JSON.parse(first[0]) as { url: string }
  return {
    url,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await exited
    },
  }
}
