// What is shown before it is sent, against the bytes that arrive, read from the socket by nothing of ours.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiProvider, aiProviders } from '../../../src/contract/ai.ts'
import { hold } from '../../../src/server/platform/config.hold.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

const key = 'sk-of-the-bytes-0123456789abcdef'
let server: TestServer
let editor: TestClient
let url = ''
let arrived: Buffer[] = []
/** Takes a request to its end and answers with nothing that a model would say. */
const recorder = createServer((socket) => {
  let bytes = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (part: Buffer) => {
    bytes = Buffer.concat([bytes, part])
    const head = bytes.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, Math.max(0, head)))?.[1] ?? NaN)
    if (head < 0 || bytes.length < head + 4 + length) return
    arrived.push(bytes)
    socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
})

beforeAll(async () => {
  recorder.listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  // Listening on TCP, so it has a port.
  url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
  server = await startTestServer()
  editor = server.as('editor')
  const yaml_content =
    'etl: 1\nkind: pipeline\nname: load\nconnectors: {out: {type: file, access: write}}\nsource: {inline: {rows: [{a: 1}]}}\ntarget: {connector: out, file: {path: out.csv}}\n'
  await editor.post('/api/tasks', { yaml_content })
})
afterAll(async () => {
  await server.close()
  recorder.close()
})

const path: Record<AiProvider, string> = {
  openai: '/chat/completions',
  anthropic: '/v1/messages',
  google: '/chat/completions',
  mistral: '/chat/completions',
  compatible: '/chat/completions',
}
// Every kind of character that JSON, UTF-8, or HTTP writes in a way of its own.
const odd = 'Größe ≥ 5 €, 東京, 🜚, "quotes", \\ and / and <b>&amp;</b>,\ttab\r\nnew line\u2028\u200b\u0007.'

test.each(aiProviders)('%s gets byte for byte what was shown, and the key once, in its header', async (provider) => {
  const { config } = server.platform
  hold(config, 'ai.provider', provider)
  hold(config, 'ai.base_url', url)
  hold(config, 'ai.model', 'model/ö 1')
  hold(config, 'ai.api_key', key)
  const reference = await editor.post('/api/ai/references', {
    title: `Ünits of ${provider}`,
    kind: 'markdown',
    content: odd,
  })
  const reference_ids = [(reference.body as { id: number }).id]
  for (const [asks, body] of [
    ['generate-task', { base_yaml: `# ${odd.replaceAll(/[\r\n]/g, ' ')}` }],
    ['generate-job-template', { task_ids: [1] }],
    ['generate-dashboard-template', {}],
  ] as const) {
    arrived = []
    const request = { prompt: `${odd} ${key}`, reference_ids, ...body }
    // One after the other: there is one recorder.
    const shown = await editor.post(`/api/ai/${asks}/preview`, request)
    expect([asks, shown, arrived.length]).toMatchObject([asks, { status: 200 }, 0])
    const { body: text, url: address, digest } = shown.body as { body: string; url: string; digest: string }
    await editor.post(`/api/ai/${asks}`, { ...request, expected_digest: digest })
    expect(arrived).toHaveLength(1)
    const [bytes = Buffer.alloc(0)] = arrived
    const head = bytes.subarray(0, bytes.indexOf('\r\n\r\n')).toString('latin1')
    const sent = bytes.subarray(head.length + 4)
    expect(sent.equals(Buffer.from(text))).toBe(true)
    expect(address).toBe(url + path[provider])
    expect(head.split('\r\n')[0]).toBe(`POST ${path[provider]} HTTP/1.1`)
    expect(head.split(key)).toHaveLength(2)
    expect(sent.includes(key)).toBe(false)
    // Nothing that says who asks, or from where.
    const names = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(':')[0]?.toLowerCase() ?? '')
    expect(names.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      [
        'accept',
        ...(provider === 'anthropic' ? ['anthropic-version', 'x-api-key'] : ['authorization']),
        'connection',
        'content-length',
        'content-type',
        'host',
      ].toSorted((a, b) => (a < b ? -1 : 1)),
    )
  }
})
