// 100 MB of log lines for one run: the log comes out as it went in, byte for byte and in order, the server's memory stays
// flat, and other requests are answered meanwhile.
import { executorProtocolVersion } from '../../src/contract/executor-lifecycle.ts'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunPlan } from '../../src/contract/executor-protocol.ts'
import type { LogPage } from '../../src/contract/runs.ts'
import { taskYaml } from '../server/runs/control-plane.ts'
import { asExecutor, connect, makeApiKey, startServerProcess } from './support/server-process.ts'

const megabytes = 100
const linesPerBatch = 1000
/** Of some 207 bytes a line. */
const batches = 485
const at = '2026-03-01T08:30:00.000Z'

async function startRun() {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-flood-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startServerProcess(dataDir)
  onTestFinished(() => server.kill())
  const authorization = `Bearer ${await makeApiKey(server.url)}`
  const user = connect(server.url, { authorization })
  const executor = asExecutor(server.url)
  onTestFinished(() => [user, executor].forEach((client) => client.close()))
  const made = async (path: string, body: unknown) => ((await user.send('POST', path, body)).body as { id: number }).id
  const out = await made('/api/connectors', { name: 'f', type: 'file', config: { root: tmpdir() } })
  const task = await made('/api/tasks', { yaml_content: taskYaml('demo.flood') })
  const runId = await made(`/api/runs/trigger/${task}`, { connector_mapping: { out } })
  const registration = {
    name: 'f',
    version: '1',
    protocol: executorProtocolVersion,
    capabilities: [],
    slots: 1,
    instance: 'f',
  }
  const { id, credential } = (await executor.send('POST', '/api/executors/register', registration)).body as {
    id: number
    credential: string
  }
  const headers = { 'x-executor-credential': credential }
  const claim = { slots: 1, call_slots: 0, wait_ms: 1000 }
  const claimed = (await executor.send('POST', `/api/executors/${id}/claim`, claim, headers)).body as {
    runs: RunPlan[]
  }
  return { server, user, executor, runId, plan: claimed.runs[0]!, authorization, heartbeat: { id, headers } }
}

function downloadHash(url: string, authorization: string): Promise<{ hash: string; bytes: number }> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    let bytes = 0
    httpGet(url, { headers: { authorization } }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        hash.update(chunk)
      })
      answer.on('end', () => resolve({ hash: hash.digest('hex'), bytes }))
      answer.on('error', reject)
    }).on('error', reject)
  })
}

test(`${megabytes} MB of lines come out as they went in, and the memory of the server stays flat`, async () => {
  const { server, user, executor, runId, plan, authorization, heartbeat } = await startRun()
  const { attempt, lease_token } = plan
  const sent = createHash('sha256')
  let bytes = 0
  const memory: number[] = []
  for (let seq = 1; seq <= batches; seq++) {
    const lines = Array.from({ length: linesPerBatch }, (_, i) => {
      // Half of it does not compress.
      const message = `${seq}/${i} ${createHash('sha512').update(`${seq}/${i}`).digest('hex')} reading the next page of rows`
      const text = `${at} INFO  [source] ${message}\n`
      sent.update(text)
      bytes += text.length
      return { at, level: 'info', step: 'source', message }
    })
    const reply = await executor.send('POST', `/api/executor/runs/${runId}/logs`, { attempt, lease_token, seq, lines })
    expect(reply.status).toBe(200)
    if (seq % 20 === 0) {
      memory.push(server.rssMb())
      const body = { running: [{ run_id: runId, attempt }] }
      await executor.send('POST', `/api/executors/${heartbeat.id}/heartbeat`, body, heartbeat.headers)
    }
  }
  const lines = batches * linesPerBatch
  const last = (await user.send('GET', `/api/runs/${runId}/logs?before=${lines + 1}&limit=2`)).body as LogPage
  expect(last.lines.map(({ line }) => line)).toEqual([lines - 1, lines])

  const searching = user.send('GET', `/api/runs/${runId}/logs?q=${batches}/999%20`)
  const download = downloadHash(`${server.url}/api/runs/${runId}/logs/download`, authorization)
  const found = (await searching).body as LogPage
  expect(found.lines.map(({ line }) => line)).toEqual([lines])
  expect(bytes).toBeGreaterThan(megabytes * 1_000_000)
  expect(await download).toEqual({ hash: sent.digest('hex'), bytes })
  const afterReading = server.rssMb()
  // The collector takes its leisure at first; what the flood itself leaves behind would grow on and on.
  const third = Math.ceil(memory.length / 3)
  const [early, late] = [Math.max(...memory.slice(0, third)), Math.max(...memory.slice(third))]
  console.log(
    `${Math.round(bytes / 1e6)} MB in ${batches} batches; memory ${memory.map(Math.round).join(', ')}, read ${Math.round(afterReading)} MB`,
  )
  expect(late - early).toBeLessThan(60)
  // Held as a whole, what is searched and downloaded would be 200 MB more than what the flood left.
  expect(afterReading - late).toBeLessThan(190)
}, 300_000)
