// What AI costs a server that is idle: in turns, servers with and without a provider, and with one that has made a proposal. Each is
// read after a collection of garbage, over the inspector, which both have.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { login } from '../../src/contract/auth.ts'
import { fencedYaml } from '../support/ai-events.ts'
import { type FakeAi, startFakeAi } from '../support/fake-ai.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'

const turns = 7
const settleMs = 3_000
const account = { username: 'bench', password: 'correct horse battery staple' }
const yaml =
  'etl: 1\nkind: pipeline\nname: bench\nconnectors: {out: {type: file, access: write}}\nsource: {inline: {rows: [{a: 1}]}}\ntarget: {connector: out, file: {path: out.csv}}\n'

/** In MB. */
interface Memory {
  heap: number
  rss: number
}

export async function run(): Promise<BenchResult[]> {
  const fake = await startFakeAi()
  const measured: Record<'off' | 'on' | 'used', Memory[]> = { off: [], on: [], used: [] }
  try {
    for (let turn = 0; turn < turns; turn++)
      for (const kind of ['off', 'on', 'used'] as const) measured[kind].push(await oneServer(kind, fake))
  } finally {
    await fake.close()
  }
  const median = (kind: keyof typeof measured, of: keyof Memory) =>
    percentile(
      measured[kind].map((one) => one[of]),
      0.5,
    )
  return (['on', 'used'] as const).flatMap((kind) =>
    (['heap', 'rss'] as const).map((of) => {
      const value = round(median(kind, of) - median('off', of))
      const what = kind === 'on' ? 'a provider that is set' : 'a provider that has made a proposal'
      return {
        name: `idle server with ${what} against one without, ${of}`,
        value,
        unit: 'MB',
        bar: '≤ 3 MB',
        passed: value <= 3,
        note: `${round(median(kind, of))} and ${round(median('off', of))} MB, medians of ${turns} starts`,
      }
    }),
  )
}

async function oneServer(kind: 'off' | 'on' | 'used', fake: FakeAi): Promise<Memory> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'))
  const ai = {
    SVC_AI_PROVIDER: 'compatible',
    SVC_AI_BASE_URL: fake.url,
    SVC_AI_MODEL: 'model-1',
    SVC_AI_API_KEY: 'a-key-of-the-bench',
  }
  const entry = resolve(process.env.HEADGATE_OUT ?? 'out', 'main', 'server.js')
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', entry, '--data-dir', dataDir, '--port', '0'], {
    env: {
      ...process.env,
      SVC_ADMIN_USERNAME: account.username,
      SVC_ADMIN_PASSWORD: account.password,
      ...(kind !== 'off' && ai),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((done) => server.once('exit', done))
  try {
    const [url, inspector] = await Promise.all([
      new Promise<string>((done) =>
        createInterface({ input: server.stdout }).once('line', (line) =>
          done((JSON.parse(line) as { url: string }).url),
        ),
      ),
      new Promise<string>((done) =>
        createInterface({ input: server.stderr }).on('line', (line) => {
          const address = /^Debugger listening on (ws:\S+)/.exec(line)?.[1]
          if (address !== undefined) done(address)
        }),
      ),
    ])
    // Signing in is a part of each, since one asks for a proposal.
    const signedIn = await fetch(`${url}${login.path}`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    if (kind === 'used') {
      fake.reply({ text: fencedYaml(yaml) })
      const answer = await fetch(`${url}/api/ai/generate-task`, {
        method: 'POST',
        headers: { origin: url, cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'One row', base_yaml: yaml }),
      })
      const text = await answer.text()
      if (!text.includes('"valid":true')) throw new Error(text)
    }
    await new Promise((done) => setTimeout(done, settleMs))
    return await memoryOf(inspector)
  } finally {
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function memoryOf(inspector: string): Promise<Memory> {
  const socket = new WebSocket(inspector)
  await new Promise((done) => socket.addEventListener('open', done))
  let ids = 0
  const send = (method: string, params: object = {}) =>
    new Promise<unknown>((done) => {
      const id = ++ids
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown }
        if (answer.id === id) done(answer.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  for (let times = 0; times < 3; times++) await send('HeapProfiler.collectGarbage')
  const expression = 'JSON.stringify(process.memoryUsage())'
  const { result } = (await send('Runtime.evaluate', { expression })) as { result: { value: string } } // as the protocol has it
  socket.close()
  const { heapUsed, rss } = JSON.parse(result.value) as { heapUsed: number; rss: number }
  return { heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 }
}
