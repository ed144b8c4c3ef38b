// What Headgate adds to a model's own time: from the request to the provider hearing it, from its first piece to the caller having it, from
// a caller who leaves to the provider knowing it; and a search in 1,000 references. The provider is the fake, in a process of this bench.
import { createAiReference, listAiReferences, previewAiReferences } from '../../src/contract/ai-references.ts'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { updateServerConfig } from '../../src/contract/server-config.ts'
import { fencedYaml } from '../support/ai-events.ts'
import { startFakeAi } from '../support/fake-ai.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'
import { startInstallation } from './support/installation.ts'

const turns = 60
const references = 1_000
const yaml = `etl: 1
kind: pipeline
name: bench
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: out, file: {path: out.csv}}
`

export async function run(): Promise<BenchResult[]> {
  const installation = await startInstallation()
  const fake = await startFakeAi()
  try {
    const values = {
      'ai.provider': 'compatible',
      'ai.base_url': fake.url,
      'ai.model': 'model-1',
      'ai.api_key': 'a-key-of-the-bench',
      'ai.daily_tokens': 0,
    }
    await installation.call(updateServerConfig, { body: { values } })
    const { key } = await installation.call(createApiKey, { body: { name: 'bench' } })
    const { id } = await installation.call(createConnector, {
      body: { name: 'out', type: 'file', config: { root: installation.filesDir } },
    })
    const ask = (signal: AbortSignal) =>
      fetch(`${installation.url}/api/ai/generate-task`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'Write one row', connector_ids: [id], base_yaml: yaml }),
        signal,
      })

    const whole: number[] = []
    const first: number[] = []
    const gone: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      fake.reply({ text: fencedYaml(yaml) })
      const began = performance.now()
      const answer = await ask(new AbortController().signal)
      const text = await answer.text()
      whole.push(performance.now() - began)
      if (!text.includes('"valid":true')) throw new Error(text)

      fake.reply({ hang: true })
      const leaving = new AbortController()
      const hanging = await ask(leaving.signal)
      await hanging.body?.getReader().read()
      first.push(performance.now() - fake.answeredAt)
      leaving.abort()
      const left = performance.now()
      while (fake.left === 0) await new Promise((resolve) => setImmediate(resolve))
      gone.push(performance.now() - left)
    }

    for (let at = 0; at < references; at++)
      await installation.call(createAiReference, {
        body: {
          title: `Table ${at}`,
          kind: 'markdown',
          content: `# Orders ${at}\n\n${'The status of an order is open, paid, or sent. '.repeat(40)}\n\n## Customers ${at * 7}\n\n${'A customer has a country and a city. '.repeat(40)}\n`,
        },
      })
    const ids = (await installation.call(listAiReferences, { query: { limit: 50 } })).result.map((one) => one.id)
    const [parts, listed]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      const began = performance.now()
      await installation.call(previewAiReferences, {
        body: { prompt: `Which customers ${turn * 7} have paid orders?`, reference_ids: ids.slice(0, 20) },
      })
      const between = performance.now()
      parts.push(between - began)
      await installation.call(listAiReferences, { query: { q: `customers ${turn * 7}`, limit: 50 } })
      listed.push(performance.now() - between)
    }
    return [
      figure('proposal of a fake model at once, whole request, p95', whole, 150),
      figure('first piece after the provider has sent it, p95', first, 100),
      figure('cancel to the provider, p95', gone, 200),
      figure('parts for a prompt, of 1,000 references, p95', parts, 30),
      figure('list search in 1,000 references, p95', listed, 30),
    ]
  } finally {
    await installation.close()
    await fake.close()
  }
}

function figure(name: string, times: readonly number[], bar: number): BenchResult {
  const value = round(percentile(times, 0.95))
  return {
    name,
    value,
    unit: 'ms',
    bar: `≤ ${bar} ms`,
    passed: value <= bar,
    note: `p50 ${round(percentile(times, 0.5))} ms`,
  }
}
