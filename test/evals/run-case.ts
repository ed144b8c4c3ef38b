/** One case: what a model proposes is run by the real engine, and the rows that come of it are compared. */
import { setTimeout as wait } from 'node:timers/promises'
import type { AiEvent } from '../../src/contract/ai.ts'
import { queryConnector } from '../../src/contract/queries.ts'
import type { EvalWorld, Row } from './eval-world.ts'

export interface EvalCase {
  id: string
  category: string
  prompt: string
  connectors: string[]
  /** The text that is to be changed. */
  base?: string
  /** What a right model answers, one answer after the other. */
  answers: string[]
  /** Texts that must stay, and texts that must not come in. */
  keep?: string[]
  never?: string[]
  expect:
    | { none: true }
    /** `query`: reads what a task has written; without it the answer is itself a query. `or`: other rows that are right. */
    | { connector: string; query?: string; rows: Row[]; or?: Row[][] }
}
export interface EvalResult {
  id: string
  category: string
  passed: boolean
  /** Why not. */
  reason: string
  attempts: number
  ms: number
}

type Judged = Pick<EvalResult, 'passed' | 'reason'>
const passed: Judged = { passed: true, reason: '' }
const failed = (reason: string): Judged => ({ passed: false, reason })

async function eventsOf({ server }: EvalWorld, path: string, body: object): Promise<AiEvent[]> {
  const answer = await server.as('editor').post(`/api/ai/${path}`, body)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  const blocks = String(answer.body).trim().split('\n\n')
  return blocks.map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)) as AiEvent)
}

function idOf({ ids }: EvalWorld, connector: string): number {
  const id = ids[connector]
  if (id === undefined) throw new Error(`The cases have no connector ${connector}`)
  return id
}

/** Numbers are compared as numbers, however the system writes them. */
function plain(value: unknown): unknown {
  const [only, ...more] = value !== null && typeof value === 'object' ? Object.values(value) : [value]
  const held: unknown = more.length === 0 ? only : value
  return typeof held === 'string' && held.trim() !== '' && Number.isFinite(Number(held)) ? Number(held) : held
}
const comparable = (rows: readonly Row[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, value]) => [name, plain(value)]),
      ),
    )
    .toSorted()
    .join('\n')

async function rowsOf(world: EvalWorld, connector: string, rawQuery: string): Promise<Row[]> {
  const { fields, rows } = await world.client.call(queryConnector, {
    params: { id: idOf(world, connector) },
    body: { definition: { mode: 'raw', rawQuery }, page_size: 1000 },
  })
  return rows.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row[at]])))
}

async function judgeRows(world: EvalWorld, one: EvalCase, query: string): Promise<Judged> {
  if (!('connector' in one.expect)) return failed('a proposal for what is impossible')
  const { connector, rows, or = [] } = one.expect
  const found = await rowsOf(world, connector, query).catch((error: unknown) => String(error))
  if (typeof found === 'string') return failed(`the rows cannot be read: ${found}`)
  const right = [rows, ...or].some((wanted) => comparable(wanted) === comparable(found))
  return right ? passed : failed(`other rows: ${JSON.stringify(found.slice(0, 3))}`)
}

async function judgeTask(world: EvalWorld, one: EvalCase, proposal: Extract<AiEvent, { event: 'proposal' }>) {
  const { yaml_content, valid, findings, connector_mapping } = proposal
  if ('none' in one.expect) return valid ? failed('a valid proposal for what is impossible') : passed
  if (!valid) return failed(`not valid: ${findings.map(({ code }) => code).join(', ')}`)
  const kept = (one.keep ?? []).filter((text) => !yaml_content.includes(text))
  if (kept.length > 0) return failed(`lost: ${kept.join(', ')}`)
  const written = yaml_content.replaceAll(/^#.*$/gm, '')
  const come = (one.never ?? []).filter((text) => written.includes(text))
  if (come.length > 0) return failed(`came in: ${come.join(', ')}`)
  // Each run is a task, and models name them alike.
  const yaml = yaml_content.replace(/^name:.*$/m, `name: eval.${one.id}.${Date.now()}`)
  const run = await world.trigger(yaml, connector_mapping)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it has ended
    const { status, error_code } = await world.runOf(run)
    if (status === 'failed' || status === 'cancelled') return failed(`the run failed: ${error_code}`)
    if (status === 'success' || status === 'completed') break
    // oxlint-disable-next-line no-await-in-loop -- as above
    await wait(20)
  }
  return judgeRows(world, one, ('query' in one.expect && one.expect.query) || '')
}

export async function runCase(world: EvalWorld, one: EvalCase): Promise<EvalResult> {
  world.clean()
  const began = performance.now()
  const { id, category, prompt, connectors, base } = one
  const ids = connectors.map((name) => idOf(world, name))
  const isQuery = category === 'questions'
  const events = await eventsOf(
    world,
    isQuery ? 'generate-query' : 'generate-task',
    isQuery
      ? { prompt, connector_id: ids[0] }
      : { prompt, connector_ids: ids, ...(base !== undefined && { base_yaml: base }) },
  )
  const last = events.find(({ event }) => event === 'proposal' || event === 'query' || event === 'error')
  const judged =
    last?.event === 'proposal'
      ? await judgeTask(world, one, last)
      : last?.event === 'query'
        ? last.valid
          ? await judgeRows(world, one, last.query)
          : failed(`not valid: ${last.findings.map(({ code }) => code).join(', ')}`)
        : failed(last?.event === 'error' ? last.code : 'no answer')
  const attempts = last?.event === 'proposal' || last?.event === 'query' ? last.attempts : 0
  return { id, category, ...judged, attempts, ms: Math.round(performance.now() - began) }
}
