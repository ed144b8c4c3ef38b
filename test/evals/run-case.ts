/** One case: what a model proposes is run by the real engine, and the rows that come of it are compared. */
import { setTimeout as wait } from 'node:timers/promises'
import type { AiEvent } from '../../src/contract/ai.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate, listJobTemplates } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { queryConnector } from '../../src/contract/queries.ts'
import type { EvalWorld, Row } from './eval-world.ts'

export interface EvalCase {
  id: string
  category: string
  /** By default a query for `questions`, else a task. */
  asks?: 'task' | 'query' | 'job-template' | 'dashboard-template'
  prompt: string
  connectors: string[]
  /** Tasks that a job template may run, and the job template that a dashboard is for. */
  tasks?: string[]
  job_template?: string
  /** The text that is to be changed. */
  base?: string
  /** What a right model answers, one answer after the other. */
  answers: string[]
  /** Texts that must stay, and texts that must not come in. */
  keep?: string[]
  never?: string[]
  expect:
    | { none: true }
    /** A dashboard has no rows by itself: it must be valid, and have what `keep` says. */
    | { valid: true }
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

type Conditions = Pick<BodyOf<typeof queryConnector>, 'definition' | 'resource'>

async function rowsOf(world: EvalWorld, connector: string, asked: string | Conditions): Promise<Row[]> {
  const { fields, rows } = await world.client.call(queryConnector, {
    params: { id: idOf(world, connector) },
    body: {
      ...(typeof asked === 'string' ? { definition: { mode: 'raw' as const, rawQuery: asked } } : asked),
      page_size: 1000,
    },
  })
  // A document is its own row.
  if (fields.length === 1 && fields[0]?.type === 'document') return rows.map(([document]) => document as Row)
  return rows.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row[at]])))
}

async function judgeRows(world: EvalWorld, one: EvalCase, query: string | Conditions): Promise<Judged> {
  if (!('connector' in one.expect)) return failed('a proposal for what is impossible')
  const { connector, rows, or = [] } = one.expect
  const found = await rowsOf(world, connector, query).catch((error: unknown) => String(error))
  if (typeof found === 'string') return failed(`the rows cannot be read: ${found}`)
  const right = [rows, ...or].some((wanted) => comparable(wanted) === comparable(found))
  return right ? passed : failed(`other rows: ${JSON.stringify(found.slice(0, 3))}`)
}

type Proposed = Extract<AiEvent, { event: 'proposal' }>

/** null: so far it is right, and goes on. */
function judgeText(one: EvalCase, { yaml_content, valid, findings }: Proposed): Judged | null {
  if ('none' in one.expect) return valid ? failed('a valid proposal for what is impossible') : passed
  if (!valid) return failed(`not valid: ${findings.map(({ code }) => code).join(', ')}`)
  const kept = (one.keep ?? []).filter((text) => !yaml_content.includes(text))
  if (kept.length > 0) return failed(`lost: ${kept.join(', ')}`)
  const written = yaml_content.replaceAll(/^#.*$/gm, '')
  const come = (one.never ?? []).filter((text) => written.includes(text))
  if (come.length > 0) return failed(`came in: ${come.join(', ')}`)
  return 'valid' in one.expect ? passed : null
}

/** As a job whose connectors are those of the same names, and run to its end. */
async function judgeJob(world: EvalWorld, one: EvalCase, proposal: Proposed): Promise<Judged> {
  const yaml = proposal.yaml_content.replace(/^name:.*$/m, `name: eval.${one.id}.${Date.now()}`)
  const template = await world.client.call(createJobTemplate, { body: { yaml_content: yaml } })
  const names = Object.keys(JSON.parse(template.connector_refs ?? '{}') as object)
  const strange = names.filter((name) => world.ids[name] === undefined)
  if (strange.length > 0) return failed(`connectors that there are not: ${strange.join(', ')}`)
  const connector_mapping = Object.fromEntries(names.map((name) => [name, idOf(world, name)]))
  const body = { name: `eval.${one.id}.${Date.now()}`, connector_mapping }
  const job = await world.client.call(createJob, { params: { id: template.id }, body })
  const { id } = await world.client.call(runJob, { params: { id: job.id }, body: {} })
  const { status } = await world.client.call(getJobRun, { params: { id }, query: { wait: '60s' } })
  if (status !== 'completed') return failed(`the job run is ${status}`)
  return judgeRows(world, one, ('query' in one.expect && one.expect.query) || '')
}

async function judgeTask(world: EvalWorld, one: EvalCase, proposal: Proposed): Promise<Judged> {
  const { yaml_content, connector_mapping } = proposal
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

const conditionsOf = ({ definition, resource }: Extract<AiEvent, { event: 'query' }>): Conditions => ({
  definition: definition ?? { mode: 'visual' },
  ...(resource !== null && { resource }),
})

async function requestOf(world: EvalWorld, one: EvalCase, asks: NonNullable<EvalCase['asks']>): Promise<object> {
  const { prompt, connectors, tasks = [], job_template, base } = one
  const ids = connectors.map((name) => idOf(world, name))
  if (asks === 'query') return { prompt, connector_id: ids[0], builder: true }
  const text = base === undefined ? {} : { base_yaml: base }
  if (asks === 'task') return { prompt, connector_ids: ids, ...text }
  if (asks === 'job-template') return { prompt, task_ids: tasks.map((name) => world.tasks[name]), ...text }
  const { result } = await world.client.call(listJobTemplates, { query: { q: job_template ?? '', limit: 1 } })
  return { prompt, job_template_id: result[0]?.id, ...text }
}

export async function runCase(world: EvalWorld, one: EvalCase): Promise<EvalResult> {
  world.clean()
  const began = performance.now()
  const { id, category } = one
  const asks = one.asks ?? (category === 'questions' ? 'query' : 'task')
  const events = await eventsOf(world, `generate-${asks}`, await requestOf(world, one, asks))
  const last = events.find(({ event }) => event === 'proposal' || event === 'query' || event === 'error')
  const judged =
    last?.event === 'proposal'
      ? (judgeText(one, last) ?? (await (asks === 'job-template' ? judgeJob : judgeTask)(world, one, last)))
      : last?.event === 'query'
        ? last.valid
          ? await judgeRows(world, one, last.definition ? conditionsOf(last) : last.query)
          : failed(`not valid: ${last.findings.map(({ code }) => code).join(', ')}`)
        : failed(last?.event === 'error' ? last.code : 'no answer')
  const attempts = last?.event === 'proposal' || last?.event === 'query' ? last.attempts : 0
  return { id, category, ...judged, attempts, ms: Math.round(performance.now() - began) }
}
