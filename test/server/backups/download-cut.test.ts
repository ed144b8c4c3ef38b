import { once } from 'node:events'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'

const MiB = 1024 * 1024

test('a download whose file becomes shorter on the way is a broken transfer, at once', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const folder = join(server.dataDir, 'backups')
  mkdirSync(folder)
  const path = join(folder, 'large.db')
  writeFileSync(path, Buffer.alloc(64 * MiB))
  const { headers } = server.as('superadmin')
  // Over a connection that goes on afterwards, the missing bytes would be waited for.
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const sent = request(`${server.url}/api/server/backups/large.db/download`, { headers, agent })
  sent.end()
  // The types of `once` do not know what a request emits.
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expect(Number(answer.headers['content-length'])).toBe(64 * MiB)
  let bytes = 0
  const ended = new Promise<void>((resolve) => {
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
    // That it breaks off is what is wanted.
    answer.on('error', () => {})
    answer.on('close', resolve)
  })
  answer.once('data', () => truncateSync(path, 32 * MiB))
  const began = performance.now()
  await ended
  expect(answer.complete).toBe(false)
  expect(bytes).toBeLessThan(64 * MiB)
  // Not only once the server gives up an idle connection.
  expect(performance.now() - began).toBeLessThan(20_000)
}, 120_000)
