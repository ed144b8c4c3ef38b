import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type TestClient, createClient } from '../../support/server.ts'
import { type ServerProcess, type ServerProcessOptions, spawnServer } from '../../support/server-process.ts'
import { admin, makeApiKey } from '../../faults/support/server-process.ts'

export const credentials = { SVC_ADMIN_USERNAME: admin.username, SVC_ADMIN_PASSWORD: admin.password }

/** Calls `api` and waits for its answer. */
export const callYaml = `etl: 1
kind: http
name: restart.call
connectors:
  api: {type: http, access: write}
http:
  connector: api
  path: /call
  method: POST
`

/** A data folder that goes with the test, and servers on it that end with it. */
export function createFolder() {
  const root = mkdtempSync(join(tmpdir(), 'headgate-restore-'))
  const dataDir = join(root, 'data')
  const started: ServerProcess[] = []
  onTestFinished(async () => {
    for (const server of started) server.kill('SIGKILL')
    await Promise.all(started.map(({ exited }) => exited))
    rmSync(root, { recursive: true, force: true })
  })
  return {
    dataDir,
    start(args: string[] = [], options: ServerProcessOptions = {}): ServerProcess {
      const env = { ...credentials, ...options.env }
      const server = spawnServer(dataDir, { ...options, env, args: ['--port', '0', ...args] })
      started.push(server)
      return server
    },
  }
}

/** A client of the superadmin by an API key, which lives as long as the store. */
export async function keyHolder(server: ServerProcess): Promise<TestClient> {
  const { url } = await server.ready
  return createClient(url, { authorization: `Bearer ${await makeApiKey(url)}` })
}

/** How often the server of this process has said that it is ready. */
export const timesReady = ({ stdout }: ServerProcess) => stdout.filter((line) => line.includes('"ready"')).length

/** Something that tasks call, which answers when told. */
export async function startHeldCalls() {
  const held: (() => void)[] = []
  let released = false
  let closed = 0
  const server = createServer((request, response) => {
    request.resume()
    response.once('close', () => void (closed += Number(!response.writableFinished)))
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"n": 1}')
    if (released) answer()
    else held.push(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    // Listening on TCP, so it has a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => held.length,
    /** How many went away before they had their answer. */
    givenUp: () => closed,
    release() {
      released = true
      for (const answer of held.splice(0)) answer()
    },
  }
}
