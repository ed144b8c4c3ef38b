import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callMcp } from '../../../src/contract/mcp.ts'
import type { Role, Scope } from '../../../src/contract/roles.ts'
import { hold } from '../../../src/server/platform/config.hold.ts'
import { entryOf } from '../../support/entries.ts'
import { type RealWorld, startRealWorld } from '../../executor/process/real-world.ts'

const canary = 'canary-in-a-row'
let world: RealWorld
const open: Client[] = []

beforeAll(async () => {
  world = await startRealWorld()
  writeFileSync(join(world.folder, 'people.csv'), `id,name\n1,${canary}\n2,Grace\n`)
})
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()))
  await world?.close()
})
beforeEach(async () => {
  hold(world.server.platform.config, 'mcp.enabled', true)
  await expect.poll(() => world.online()).toBe('online')
})

async function agent(role: Role, scopes?: Scope[]): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' })
  const headers = { ...world.server.as(role, scopes).headers }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(callMcp.path, world.server.url), { requestInit: { headers } }),
  )
  open.push(client)
  return client
}
async function use(
  client: Client,
  name: string,
  args: object = {},
): Promise<{ failed: boolean; text: string; value: unknown }> {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  const failed = result.isError === true
  return { failed, text, value: failed ? null : JSON.parse(text) }
}
const task = (file = 'people.csv', name = 'people') => `etl: 1
kind: pipeline
name: ${name}
connectors: {files: {type: file, access: read_write}}
source: {connector: files, files: {glob: ${file}, format: csv}}
steps:
  - filter: "id > 0"
target: {connector: files, file: {path: out.jsonl, format: jsonl}}
`
const mapping = () => ({ files: world.connector })

test('an agent goes from connectors to a run by tools alone, and sees no value of a row', async () => {
  const client = await agent('editor')
  expect((await client.listTools()).tools.length).toBeLessThanOrEqual(8)
  const { value } = await use(client, 'list_connectors')
  expect(value).toMatchObject({ connectors: [{ id: world.connector, name: 'files', type: 'file' }], next_cursor: null })
  const said = [
    await use(client, 'describe_resource', { connector_id: world.connector }),
    await use(client, 'describe_resource', { connector_id: world.connector, resource: 'people.csv' }),
    await use(client, 'validate', { yaml_content: task() }),
    await use(client, 'preview', { yaml_content: task(), connector_mapping: mapping() }),
  ]
  expect(said[1]?.value).toMatchObject({ columns: [{ name: 'id' }, { name: 'name' }] })
  expect(said[2]?.value).toMatchObject({ valid: true, findings: [] })
  expect(said[3]?.value).toMatchObject({
    stages: [
      { key: 'source', row_count: 2 },
      { key: 'filter', row_count: 2 },
    ],
  })
  const saved = await use(client, 'save', { yaml_content: task() })
  expect(saved.value).toMatchObject({ kind: 'task', name: 'people', version: 1 })
  const { id } = saved.value as { id: number }
  const started = await use(client, 'run', { task_id: id, connector_mapping: mapping() })
  const { run_id } = started.value as { run_id: number }
  await expect
    .poll(async () => (await use(client, 'read_run', { run_id })).value)
    .toMatchObject({ status: 'success', item_count: 2 })
  said.push(
    await use(client, 'read_run', { run_id, after_line: 0 }),
    await use(client, 'find', { kind: 'task', q: 'peop' }),
  )
  expect(said.at(-1)?.value).toMatchObject({ total: 1 })
  expect(JSON.stringify(said)).not.toContain(canary)
  expect(JSON.stringify(said)).not.toContain(world.folder)
})

test('rows and values in errors come only with a key whose scopes name them', async () => {
  const scoped = await agent('editor', ['read', 'run', 'rows'])
  const plain = await agent('editor', ['read', 'run'])
  const bad = task().replace('filter: "id > 0"', 'cast: {name: integer}')
  for (const yaml_content of [task(), bad]) {
    const input = { yaml_content, connector_mapping: mapping() }
    // One after the other: one file, one executor.
    expect((await use(scoped, 'preview', input)).text).toContain(canary)
    expect((await use(plain, 'preview', input)).text).not.toContain(canary)
  }
  const hidden = await use(plain, 'preview', { yaml_content: bad, connector_mapping: mapping() })
  const { stages } = hidden.value as { stages: { error?: { code: string; message: string } }[] }
  const message = stages.at(-1)?.error?.message
  expect(message).toContain('name')
  // Errors that quote a row, and columns that are named by values.
  const quoting = task().replace('filter: "id > 0"', `expect: [{name: x, check: "name = ''", on_fail: fail}]`)
  const naming = task().replace('filter: "id > 0"', `map: '{name: id}'`)
  for (const yaml_content of [quoting, naming]) {
    const input = { yaml_content, connector_mapping: mapping() }
    expect((await use(scoped, 'preview', input)).text).toContain(canary)
    expect((await use(plain, 'preview', input)).text).not.toContain(canary)
  }
  const run_id = await world.trigger(bad.replace('name: people', 'name: bad'), mapping())
  await expect.poll(() => world.statusOf(run_id)).toBe('failed')
  expect((await use(scoped, 'read_run', { run_id, after_line: 0 })).text).toContain(canary)
  const read = await use(plain, 'read_run', { run_id, after_line: 0 })
  expect(read.text).not.toContain(canary)
  expect(read.value).toMatchObject({ status: 'failed', error: { reason: expect.any(String) } })
})

test('a tool has the rights of its key, and each call is in the audit log', async () => {
  const viewer = await agent('viewer')
  const refused = await use(viewer, 'save', { yaml_content: task('people.csv', 'other') })
  expect(refused).toMatchObject({ failed: true, text: expect.stringContaining('FORBIDDEN') })
  const narrow = await agent('editor', ['read'])
  expect((await use(narrow, 'run', { task_id: 1 })).text).toContain('FORBIDDEN')
  expect((await use(narrow, 'find', { kind: 'job' })).failed).toBe(false)
  const { body } = await world.client.get('/api/audit?operation=callMcp&limit=3')
  const records = (body as { result: object[] }).result
  expect(records).toMatchObject([
    { entity: 'mcp', entity_name: 'find', outcome: 'ok', actor: 'api_key' },
    { entity_name: 'run', outcome: 'refused', error: 'FORBIDDEN' },
    { entity_name: 'save', outcome: 'refused', error: 'FORBIDDEN' },
  ])
})

test('calls that no tool has heard of are in the audit log, too', async () => {
  const client = await agent('viewer')
  await use(client, 'describe_resource', { connector_id: 'one' })
  const unknown = 'drop_everything'.repeat(20)
  await expect(client.callTool({ name: unknown })).rejects.toThrow('not found')
  const { body } = await world.client.get('/api/audit?operation=callMcp&limit=2')
  expect((body as { result: object[] }).result).toMatchObject([
    { entity_name: unknown.slice(0, 100), outcome: 'refused', error: 'VALIDATION_ERROR' },
    { entity_name: 'describe_resource', outcome: 'refused', error: 'VALIDATION_ERROR' },
  ])
})

test('wrong input is an answer of its tool that says what is wrong', async () => {
  const client = await agent('editor')
  expect(await use(client, 'describe_resource', { connector_id: 'one' })).toMatchObject({ failed: true })
  expect((await use(client, 'run', {})).text).toContain('Give either')
  expect((await use(client, 'describe_resource', { connector_id: 999 })).text).toContain('NOT_FOUND')
  const { value } = await use(client, 'validate', { yaml_content: 'etl: 1\nkind: pipelin\n' })
  expect(value).toMatchObject({
    valid: false,
    findings: expect.arrayContaining([expect.objectContaining({ line: 2 })]),
  })
  expect((await use(client, 'save', { yaml_content: 'etl: 1\nkind: pipelin\n' })).text).toContain('VALIDATION_ERROR')
})

test('dashboard templates are validated, saved, and found as the other documents are', async () => {
  const client = await agent('editor')
  const yaml_content =
    'etl: 1\nkind: dashboard\nname: board\njob_template: nowhere\nwidgets:\n  - {id: a, type: log, at: [0, 0, 3, 2]}\n'
  const kind = 'dashboard_template'
  const { value } = await use(client, 'validate', { kind, yaml_content })
  expect(value).toMatchObject({ valid: false, findings: [{ code: 'unknown_job_template', line: 4, column: 15 }] })
  expect((await use(client, 'save', { kind, yaml_content })).text).toContain('VALIDATION_ERROR')
  expect((await use(client, 'find', { kind, q: 'board' })).value).toMatchObject({ result: [], total: 0 })
})

test('the languages are resources, and a prompt leads through the tools', async () => {
  const client = await agent('viewer')
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'headgate://language/task',
    'headgate://language/job',
    'headgate://language/dashboard',
  ])
  const { contents } = await client.readResource({ uri: 'headgate://language/task' })
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('## Steps') })
  const { messages } = await client.getPrompt({ name: 'write_task', arguments: { goal: 'Load people' } })
  expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('Load people') })
})

test('it is off until it is turned on, and for callers alone', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  hold(world.server.platform.config, 'mcp.enabled', false)
  const key = world.server.as('editor')
  expect((await key.post(callMcp.path, ping)).body).toMatchObject({
    error: 'NOT_FOUND',
    details: [{ code: 'mcp_off' }],
  })
  hold(world.server.platform.config, 'mcp.enabled', true)
  expect((await key.get(callMcp.path)).status).toBe(405)
  expect((await world.server.client.post(callMcp.path, ping)).status).toBe(401)
  expect((await key.post(callMcp.path, { nonsense: true })).status).toBe(400)
})

test('the command connects an agent that speaks over standard input and output', async () => {
  const client = new Client({ name: 'agent', version: '1' })
  const key = world.server.as('viewer').headers['authorization']?.replace('Bearer ', '') ?? ''
  const command = (url: string, SVC_API_KEY: string) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [entryOf('headgate'), 'mcp', '--url', url],
      env: { SVC_API_KEY },
      stderr: 'ignore',
    })
  await client.connect(command(world.server.url, key))
  open.push(client)
  expect((await use(client, 'list_connectors')).value).toMatchObject({ total: 1 })
  const stranger = new Client({ name: 'agent', version: '1' })
  await expect(stranger.connect(command(world.server.url, 'svc_0000'))).rejects.toThrow(/Not authenticated|401/)
})
