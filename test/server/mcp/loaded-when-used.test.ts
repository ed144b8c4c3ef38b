// What agents need is loaded by the first call, so that a server that none uses starts and idles without it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { spawnServer } from '../../support/server-process.ts'
import { cookieOf } from '../../support/sign-in.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'headgate-loaded-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Says of each module that it is loaded. */
const watching = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + '\\n'), next(url, context)) })
`)}`

test('the protocol of agents and its package are loaded by the first call, and by nothing before', async () => {
  const env = { NODE_OPTIONS: `--import=${watching}`, SVC_MCP_ENABLED: 'true' }
  const server = spawnServer(dataDir, { args: ['--port', '0', '--no-executor'], env })
  try {
    const client = await server.client()
    const credentials = { username: 'ada', password: 'correct horse battery staple' }
    const made = await client.post('/api/auth/bootstrap', credentials)
    const headers = { cookie: cookieOf(made), origin: (await server.ready).url }
    expect(await client.get('/api/ai/usage', { headers })).toMatchObject({ status: 200, body: { configured: false } })
    const loaded = () => server.stderr.filter((line) => line.startsWith('loaded '))
    const ofAgents = () => loaded().filter((line) => /mcp-server[-.]|mcp-tools[-.]|@modelcontextprotocol/.test(line))
    expect(loaded().length).toBeGreaterThan(10)
    expect(ofAgents()).toEqual([])
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    await client.post('/api/mcp', ping, { headers })
    await vi.waitFor(() => expect(ofAgents()).not.toEqual([]), { timeout: 20_000, interval: 20 })
  } finally {
    server.kill('SIGKILL')
    await server.exited
  }
}, 120_000)
