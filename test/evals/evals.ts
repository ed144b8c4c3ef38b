/**
 * `npm run evals -- --base-url URL --model NAME [--provider compatible] [--key KEY] [--only TEXT] [--json FILE]`, or `--recorded` for
 * a fake provider with the recorded answers: asks a model for every case, runs what it proposes with the real engine, and compares the rows. Ends with 0 whatever the score is.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { aiProviders } from '../../src/contract/ai.ts'
import { hold } from '../../src/server/platform/config.hold.ts'
import { missingServices } from './eval-services.ts'
import { startEvalWorld } from './eval-world.ts'
import { startFakeAi } from '../support/fake-ai.ts'
import { evalCases, recordedAnswers, reportOf } from './report.ts'
import { type EvalResult, runCase } from './run-case.ts'

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    model: { type: 'string' },
    provider: { type: 'string', default: 'compatible' },
    key: { type: 'string', default: process.env['AI_API_KEY'] ?? 'no-key-is-needed' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    recorded: { type: 'boolean', default: false },
  },
})
if (values.recorded) {
  const fake = await startFakeAi()
  fake.replay(recordedAnswers())
  Object.assign(values, { 'base-url': fake.url, model: 'recorded answers', provider: 'compatible' })
}
const provider = aiProviders.find((one) => one === values.provider)
const chosen = evalCases().filter(({ id }) => id.startsWith(values.only))
const cases = chosen.filter(({ connectors }) => !connectors.some((name) => missingServices.has(name)))
if (!provider || values.model === undefined || (provider === 'compatible' && values['base-url'] === undefined)) {
  console.error(
    `Give --model, --base-url, and --provider (${aiProviders.join(', ')}; by default compatible), or --recorded.`,
  )
  process.exit(1)
}
if (chosen.length === 0) {
  console.error(
    `No case begins with ${values.only}. Categories: ${[...new Set(evalCases().map((one) => one.category))].join(', ')}`,
  )
  process.exit(1)
}
for (const { id } of chosen.filter((one) => !cases.includes(one)))
  console.log(`skipped  ${id}: its system is not installed`)
const world = await startEvalWorld(new Set(cases.flatMap(({ connectors }) => connectors)))
const { config } = world.server.platform
hold(config, 'ai.provider', provider)
hold(config, 'ai.base_url', values['base-url'] ?? null)
hold(config, 'ai.model', values.model)
hold(config, 'ai.api_key', values.key)
const results: EvalResult[] = []
try {
  for (const one of cases) {
    // oxlint-disable-next-line no-await-in-loop -- a local model answers one after the other
    const result = await runCase(world, one)
    results.push(result)
    console.log(`${result.passed ? 'right' : 'wrong'}  ${result.id}${result.passed ? '' : `: ${result.reason}`}`)
  }
} finally {
  // What was measured is told even if one of its systems has died.
  await world.close().catch((error: unknown) => console.error(`A system of the cases did not end: ${String(error)}`))
}
console.log(`\n${values.model} at ${values['base-url'] ?? provider}\n${reportOf(results)}`)
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ model: values.model, results }, null, 1)}\n`)
// The fake would wait for more.
if (values.recorded) process.exit(0)
