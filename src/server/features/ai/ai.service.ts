import { createHash } from 'node:crypto'
import type { AiReferencePart } from '../../../contract/ai-references.ts'
import type { AiEvent, explainRun, previewExplainRun } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { baseUrlOf } from '../../platform/ai-address.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, conflict, invalid, invalidState } from '../../platform/refusal.ts'
import type { AiReferencesService } from '../ai-references/ai-references.service.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { DashboardTemplatesService } from '../dashboard-templates/dashboard-templates.service.ts'
import type { ExplorerPresetsService } from '../explorer-presets/explorer-presets.service.ts'
import type { JobTemplatesService } from '../job-templates/job-templates.service.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import type { RunsService } from '../runs/runs.service.ts'
import type { TaskCatalogueService } from '../tasks/task-catalogue.service.ts'
import type { TasksService } from '../tasks/tasks.service.ts'
import { type CallBegun, createAiUsageService } from './ai-usage.service.ts'
import { type Draft, finding } from './draft.rules.ts'
import { explain, failureText } from './explain.ts'
import { planDashboardTemplate } from './dashboard-template-drafts.ts'
import { DEADLINE_MS, generate, reasonOf } from './generate.ts'
import { holdBack } from './held-back.rules.ts'
import { planJobTemplate } from './job-template-drafts.ts'
import type { Plan } from './plan.types.ts'
import { explainText, partText, requestText, rowsIn, testPrompt } from './prompt.rules.ts'
import { type Limits, ProviderFailure, askProvider, limitsOf } from './provider-call.ts'
import { planQuery } from './query-drafts.ts'
import { planTask } from './task-drafts.ts'
import { type Prompt, type WireRequest, type WireUsage, wireRequest } from './provider-wire.rules.ts'

interface Features {
  connectors: Pick<ConnectorsService, 'kinds' | 'resources' | 'resource' | 'allSecrets'>
  references: Pick<AiReferencesService, 'retrieve' | 'stateOf'>
  tasks: Pick<TasksService, 'validate' | 'preview'>
  runs: Pick<RunsService, 'get' | 'steps' | 'rejectGroups' | 'yamlOf'>
  catalogue: Pick<TaskCatalogueService, 'find' | 'version' | 'nameOf'>
  jobTemplates: Pick<JobTemplatesService, 'validate' | 'textOf'>
  dashboardTemplates: Pick<DashboardTemplatesService, 'validate' | 'jobTemplate'>
  jobs: Pick<JobsService, 'get'>
  presets: Pick<ExplorerPresetsService, 'mistakes' | 'read'>
  readings: Pick<ReadingsService, 'read' | 'work'>
  limits?: Limits
}
/** What every request for a proposal has. */
interface Body {
  prompt: string
  reference_ids?: number[] | undefined
  base_yaml?: string | undefined
  part?: string | undefined
  rows?: boolean | undefined
}

/** How a call has ended. */
interface CallEnded {
  input: number
  output: number
  estimated: boolean
  rows: boolean
  /** `ok`, `stopped` by who asked, or the code of a failure. */
  outcome: string
  digests: string
}

/** Where a provider doesn’t count. */
const tokensIn = (text: string) => Math.ceil(text.length / 4)
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

export function createAiService(platform: Platform, features: Features) {
  const { connectors, references, tasks, runs, readings } = features
  const { config, store, clock, audit } = platform
  const usage = createAiUsageService(platform)

  /** What is set now; a key that is changed while an answer comes is used from the next request on. */
  function configured() {
    const { provider, baseUrl, model, apiKey } = config.ai
    const refuse = (reason: 'ai_key_missing' | 'ai_model_missing' | 'ai_base_url_missing'): never => {
      throw new Refusal('AI_NOT_CONFIGURED', msg(reason))
    }
    const base = baseUrlOf(provider, baseUrl) ?? undefined
    return {
      provider,
      key: apiKey ?? refuse('ai_key_missing'),
      model: model ?? refuse('ai_model_missing'),
      base: base ?? refuse('ai_base_url_missing'),
    }
  }

  /** Within a proposal, where a refusal is an event. */
  function stillConfigured() {
    try {
      return configured()
    } catch (error) {
      throw error instanceof Refusal && error.reason ? new ProviderFailure(error.reason) : error
    }
  }

  /** One call of the provider: counted and recorded, however it ends, without its texts. */
  async function* ask(prompt: Prompt, caller: Caller, signal: AbortSignal, spent: Spent): AsyncGenerator<string> {
    const objection = usage.objection()
    if (objection) throw new ProviderFailure(objection.reason)
    const { provider, key, model, base } = stillConfigured()
    const request = wireRequest(provider, base, model, prompt)
    if (spent.rows && config.ai.rows !== 'ask') throw new ProviderFailure(msg('ai_rows_off'))
    if (spent.isOvertaken?.(request.url)) throw new ProviderFailure(msg('ai_overtaken'))
    const limits = features.limits ?? limitsOf(base)
    const counted: WireUsage = {}
    let answer = ''
    let outcome = 'stopped'
    const call = usage.begin(new URL(base).host, model, caller.user_id, tokensIn(request.body))
    try {
      const hear = (update: WireUsage) => void Object.assign(counted, update)
      for await (const text of askProvider({ provider, key, request, signal, limits, counted: hear })) {
        answer += text
        yield text
      }
      outcome = 'ok'
    } catch (error) {
      if (error instanceof ProviderFailure) outcome = error.reason.code
      throw error
    } finally {
      // A request that was refused costs nothing; what broke off may have.
      const refused = answer === '' && counted.input === undefined && outcome !== 'ok' && outcome !== 'stopped'
      const input = counted.input ?? (refused ? 0 : tokensIn(request.body))
      const output = counted.output ?? tokensIn(answer)
      spent.input += input
      spent.output += output
      const estimated = !refused && (counted.input === undefined || counted.output === undefined)
      spent.estimated ||= estimated
      call.end()
      const digests = `request ${digestOf(request.body).slice(0, 16)}, answer ${digestOf(answer).slice(0, 16)}`
      record(caller, call, { input, output, estimated, rows: spent.rows === true, outcome, digests })
    }
  }

  function record({ username }: Caller, { of }: CallBegun, call: CallEnded): void {
    const { input, output, estimated, rows, outcome, digests } = call
    const failed = outcome !== 'ok' && outcome !== 'stopped'
    store.transaction(() => {
      usage.add(of, {
        failed_calls: Number(failed),
        estimated_calls: Number(estimated),
        input_tokens: input,
        output_tokens: output,
      })
      audit.system({
        operation: 'aiRequest',
        entity: 'ai',
        entity_name: `${of.host}, ${of.model}: ${input} + ${output} tokens${rows ? ', with rows' : ''}, ${digests}; by ${username}`,
        ...(outcome !== 'ok' && { error: outcome }),
      })
    })
  }

  const secrets = () => [
    ...connectors.allSecrets(),
    config.executorKey,
    ...(config.ai.apiKey === null ? [] : [config.ai.apiKey]),
  ]

  /** Everything that leaves for the failure of a run. */
  function prepareExplanation({ run_id, language = 'en' }: BodyOf<typeof previewExplainRun>) {
    const { provider, model, base } = configured()
    const run = runs.get(run_id)
    if (run.error_code === null) invalidState(msg('ai_run_not_failed', { run: run_id }))
    const yaml = runs.yamlOf(run_id)
    const held = holdBack(secrets())
    const failed = { run, yaml, steps: runs.steps(run_id), rejects: runs.rejectGroups(run_id) }
    const text = failureText(failed, held.hide)
    const mayFix = !run.overridden
    const first: Prompt = { system: explainText(language, mayFix), turns: [{ role: 'user', text }] }
    // Written as JSON of their schemas.
    const slots = new Map(Object.entries(JSON.parse(run.connector_mapping ?? '{}') as Record<string, number>))
    const args = JSON.parse(run.arguments ?? '{}') as Record<string, unknown>
    const request = wireRequest(provider, base, model, first)
    return { first, held, base: mayFix ? yaml : null, slots, args, request }
  }

  const shown = ({ first, request, held }: { first: Prompt; request: WireRequest; held: { count: number } }) => ({
    rows: rowsIn(first.turns[0]?.text ?? '{}'),
    url: request.url,
    body: request.body,
    digest: digestOf(request.body),
    held_back: held.count,
  })
  /** What was shown is what is sent. */
  function keepShown(request: WireRequest, expected: string | undefined): void {
    if (expected !== undefined && expected !== digestOf(request.body)) conflict(msg('ai_request_changed'))
  }

  /**
   * A proposal takes several calls, and each sends what the first one did: none may go elsewhere than the first, or send references that
   * were changed or deleted since.
   */
  function overtaking(request: WireRequest, parts: readonly AiReferencePart[]): (url: string) => boolean {
    const ids = [...new Set(parts.map(({ reference_id }) => reference_id))]
    const state = references.stateOf(ids)
    return (url) => url !== request.url || references.stateOf(ids) !== state
  }

  /** What is asked for must be there before anything is sent. */
  async function checkPart({ part, base_yaml }: Body, signal: AbortSignal): Promise<void> {
    if (part === undefined) return
    if (base_yaml === undefined) invalid([{ path: 'body.part', ...msg('ai_part_without_text') }])
    if (!(await readings.work('hasPart', [base_yaml, part], signal)))
      invalid([{ path: 'body.part', ...msg('ai_part_unknown', { part }) }])
  }

  async function onlyPart(
    { base, part, text }: { base: string; part: string; text: string },
    signal: AbortSignal,
  ): Promise<Draft> {
    const fitted = await readings.work('withPartOf', [base, part, text], signal)
    return fitted === null
      ? { text, findings: [finding(msg('ai_outside_part', { part }), part)] }
      : { text: fitted, findings: [] }
  }

  /** Everything that leaves with the first request, and nothing of what stays. */
  function prepare({ prompt, reference_ids, base_yaml, part }: Body, { system, facts, drafts }: Plan) {
    const { provider, model, base } = configured()
    const parts = reference_ids?.length ? references.retrieve(prompt, reference_ids) : []
    const held = holdBack(secrets())
    const text = requestText({ prompt, part, facts: facts(held.hide), references: parts, current: base_yaml }, held)
    const first: Prompt = { system: part === undefined ? system : system + partText, turns: [{ role: 'user', text }] }
    const fit =
      part === undefined
        ? undefined
        : (text: string, signal: AbortSignal) => onlyPart({ base: base_yaml ?? '', part, text }, signal)
    return { drafts, parts, held, first, fit, request: wireRequest(provider, base, model, first) }
  }

  /** Proposals of one kind. */
  function proposals<B extends Body>(plan: (body: B, signal: AbortSignal) => Promise<Plan>) {
    /** What is missing is told before connectors are asked. */
    async function prepared(body: B, signal: AbortSignal) {
      configured()
      if (body.prompt.trim() === '') invalid([{ path: 'body.prompt', ...msg('field_empty') }])
      await checkPart(body, signal)
      if (body.rows && config.ai.rows !== 'ask') invalid([{ path: 'body.rows', ...msg('ai_rows_off') }])
      return prepare(body, await plan(body, signal))
    }
    return {
      preview: async (body: B, signal: AbortSignal) => shown(await prepared(body, signal)),
      /** Refuses before anything is sent; from then on everything is told by events. */
      async open(
        body: B & { expected_digest?: string | undefined },
        caller: Caller,
        signal: AbortSignal,
      ): Promise<AsyncGenerator<AiEvent>> {
        usage.keepBudget()
        if (body.rows && body.expected_digest === undefined)
          invalid([{ path: 'body.expected_digest', ...msg('ai_rows_unseen') }])
        const { request, ...generation } = await prepared(body, signal)
        keepShown(request, body.expected_digest)
        const spent: Spent = {
          input: 0,
          output: 0,
          estimated: false,
          rows: body.rows === true,
          isOvertaken: overtaking(request, generation.parts),
        }
        const asking = (prompt: Prompt, until: AbortSignal) => ask(prompt, caller, until, spent)
        return withUsage(generate({ ...generation, ask: asking, signal, deadlineMs: DEADLINE_MS }), spent)
      },
    }
  }

  return {
    task: proposals(planTask(features)),
    jobTemplate: proposals(planJobTemplate(features)),
    query: proposals(planQuery(features)),
    dashboardTemplate: proposals(planDashboardTemplate(features)),
    previewExplanation: (body: BodyOf<typeof previewExplainRun>) => shown(prepareExplanation(body)),

    /** Why a run failed. */
    explain(body: BodyOf<typeof explainRun>, caller: Caller, signal: AbortSignal): AsyncGenerator<AiEvent> {
      usage.keepBudget()
      const { request, ...prepared } = prepareExplanation(body)
      keepShown(request, body.expected_digest)
      const spent: Spent = { input: 0, output: 0, estimated: false, isOvertaken: overtaking(request, []) }
      const asking = (prompt: Prompt, until: AbortSignal) => ask(prompt, caller, until, spent)
      return withUsage(explain({ ...prepared, ask: asking, tasks, readings, signal, deadlineMs: DEADLINE_MS }), spent)
    },

    /** A short request, to see that address, key, model, and stream work. */
    async test(caller: Caller, signal: AbortSignal) {
      usage.keepBudget()
      const { base, model } = configured()
      const known = { host: new URL(base).host, model }
      const began = clock.monotonic()
      let first: number | null = null
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      try {
        const answer = ask(testPrompt, caller, AbortSignal.any([signal, deadline]), {
          input: 0,
          output: 0,
          estimated: false,
        })
        for await (const text of answer) if (text !== '') first ??= Math.round(clock.monotonic() - began)
        return { ok: true, ...known, code: null, params: {}, message: null, first_token_ms: first }
      } catch (error) {
        signal.throwIfAborted()
        const { code, params, message } = deadline.aborted
          ? msg('ai_deadline', { seconds: DEADLINE_MS / 1000 })
          : reasonOf(error)
        return { ok: false, ...known, code, params: { ...params }, message, first_token_ms: first }
      }
    },

    usage: usage.state,
  }
}
export type AiService = ReturnType<typeof createAiService>

/** What a proposal has cost so far, and whether its requests contain rows. */
interface Spent {
  input: number
  output: number
  estimated: boolean
  rows?: boolean
  /** Whether a request to this address may not leave any more. */
  isOvertaken?: (url: string) => boolean
}

async function* withUsage(events: AsyncGenerator<AiEvent>, spent: Spent): AsyncGenerator<AiEvent> {
  yield* events
  yield { event: 'usage', input_tokens: spent.input, output_tokens: spent.output, estimated: spent.estimated }
}
