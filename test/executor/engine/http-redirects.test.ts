import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { json, redirect, startMisbehavingHttp, type MisbehavingHttp } from '../../support/misbehaving-http.ts'
import { webConnector } from './http-connector.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

let server: MisbehavingHttp
let other: MisbehavingHttp
beforeEach(async () => {
  server = await startMisbehavingHttp()
  other = await startMisbehavingHttp()
})
afterEach(() => Promise.all([server.stop(), other.stop()]))

function read(path: string, { http = '', connector }: { http?: string; connector?: BoundConnector } = {}) {
  return runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {api: {type: http}, out: {type: file, access: write}}
source: {connector: api, http: {path: ${path}${http === '' ? '' : `, ${http}`}}}
target: {connector: out, file: {path: rows.jsonl}}
`,
    { api: connector ?? webConnector(server.url), out: fileConnector(temporaryFolder()) },
  )
}

describe('redirects', () => {
  it('are followed, without credentials to other servers', async () => {
    server.on('/old', redirect('/new', 301))
    server.on('/new', redirect(`${other.url}/rows`, 307))
    other.on('/rows', json([{ id: 1 }]))
    const run = await read('/old', {
      connector: webConnector(
        server.url,
        { auth: 'bearer', headers: { 'X-Tenant': 'blue' } },
        { token: 'secret-token' },
      ),
      http: 'headers: {X-Own: "1"}',
    })
    expect(run.error).toBeUndefined()
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret-token',
      'Bearer secret-token',
    ])
    expect(other.seen[0]?.headers.authorization).toBeUndefined()
    expect(other.seen[0]?.headers['x-tenant']).toBeUndefined()
    expect(other.seen[0]?.headers['x-own']).toBeUndefined()
  })

  it('to another host of this machine are refused, also where the connector may reach its own there', async () => {
    const elsewhere = other.url.replace('127.0.0.1', 'localhost')
    server.on('/away', redirect(`${elsewhere}/rows`))
    server.on('/written', redirect(other.url.replace('127.0.0.1', '127.0.0.2')))
    other.on('/rows', json([{ id: 1 }]))
    for (const path of ['/away', '/written']) {
      expect((await read(path)).error).toMatchObject({
        code: 'ADDRESS_NOT_ALLOWED',
        hint: expect.stringContaining('enter this address as the base URL') as string,
      })
    }
    expect(other.seen).toEqual([])
    // Its token server is its own.
    other.on('/token', json({ access_token: 'granted', expires_in: 60 }))
    server.on('/rows', json([{ id: 1 }]))
    const config = { auth: 'oauth2', client_id: 'headgate', token_url: `${elsewhere}/token` }
    expect(
      (await read('/rows', { connector: webConnector(server.url, config, { client_secret: 'hidden' }) })).error,
    ).toBeUndefined()
  })

  it('without end, or of what changes something, are errors', async () => {
    server.on('/loop', redirect('/loop'))
    expect((await read('/loop')).error).toMatchObject({
      message: expect.stringContaining('more than 5 times') as string,
    })
    expect(server.seen).toHaveLength(6)
    server.on('/post', redirect(`${other.url}/post`, 307))
    const run = await read('/post', { http: 'method: POST, body: {a: 1}' })
    expect(run.error?.message).toContain('is not redirected')
    expect(other.seen).toEqual([])
  })
})
