import { setTimeout as wait } from 'node:timers/promises'
import type { AiEvent, AiFinding } from '../../../contract/ai.ts'
import type { AiReferencePart } from '../../../contract/ai-references.ts'
import { msg } from '../../../contract/messages.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { TasksService } from '../tasks/tasks.service.ts'
import { draftOf, finding, isPlainRead, knownFindings, signatureOf } from './draft.rules.ts'
import type { HeldBack } from './held-back.rules.ts'
import { type KnownSlot, repairText } from './prompt.rules.ts'
import { ProviderFailure } from './provider-call.ts'
import type { Prompt } from './provider-wire.rules.ts'

/** The first draft and its repairs. */
const MOST_CALLS = 3
export const DEADLINE_MS = 90_000
const PREVIEW_ROWS = 20

export interface Generation {
  prompt: string
  base: string | undefined
  slots: ReadonlyMap<string, number>
  known: readonly KnownSlot[]
  parts: readonly AiReferencePart[]
  held: HeldBack
  first: Prompt
  /** One call of the provider, accounted for. */
  ask: (prompt: Prompt, signal: AbortSignal) => AsyncGenerator<string>
  tasks: Pick<TasksService, 'validate' | 'preview'>
  signal: AbortSignal
  deadlineMs: number
}

/** Draft, check, repair, preview, propose. Nothing is saved, and nothing that the model wrote is run but a plain read. */
export async function* generate(generation: Generation): AsyncGenerator<AiEvent> {
  const { first, held, parts, slots } = generation
  const deadline = AbortSignal.timeout(generation.deadlineMs)
  const signal = AbortSignal.any([generation.signal, deadline])
  const seen = new Set<string>()
  let turns = first.turns
  try {
    for (let attempt = 1; ; attempt++) {
      let answer = ''
      for await (const text of patiently(() => generation.ask({ ...first, turns }, signal), signal)) {
        answer += text
        yield { event: 'delta', attempt, text }
      }
      const draft = draftOf(answer)
      const yaml = draft.yaml === null ? null : held.restore(draft.yaml)
      const checked =
        yaml === null
          ? draft.findings
          : [
              ...(await check(yaml, generation.tasks, signal)),
              ...knownFindings(parseTask(yaml), generation.known, generation),
            ]
      const previewed = isValid(checked) && yaml !== null ? await preview(yaml, generation, signal) : undefined
      if (previewed) yield previewed.event
      const findings = [...checked, ...(previewed?.findings ?? [])]
      yield { event: 'diagnostics', attempt, findings }
      const signature = signatureOf(findings)
      if (isValid(findings) || attempt === MOST_CALLS || seen.has(signature)) {
        const references = parts.map(({ reference_id, title, heading }) => ({ reference_id, title, heading }))
        const connector_mapping = yaml === null ? {} : mappingOf(yaml, slots)
        const valid = isValid(findings)
        yield {
          event: 'proposal',
          yaml_content: yaml ?? '',
          valid,
          findings,
          connector_mapping,
          references,
          attempts: attempt,
        }
        return
      }
      seen.add(signature)
      // What was put back into the draft may stand in a finding.
      const repair = held.hide(repairText(findings))
      turns = [...first.turns, { role: 'assistant', text: answer }, { role: 'user', text: repair }]
    }
  } catch (error) {
    generation.signal.throwIfAborted()
    const reason = deadline.aborted ? msg('ai_deadline', { seconds: generation.deadlineMs / 1000 }) : reasonOf(error)
    yield { event: 'error', ...reason, params: { ...reason.params } }
  }
}

export const isValid = (findings: readonly AiFinding[]) => findings.every(({ severity }) => severity !== 'error')

export function reasonOf(error: unknown) {
  if (error instanceof ProviderFailure) return error.reason
  throw error
}

/** Once more after the time that a busy provider asks for, if it is not long and nothing has come yet. */
export async function* patiently(ask: () => AsyncGenerator<string>, signal: AbortSignal): AsyncGenerator<string> {
  try {
    return yield* ask()
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.retryMs === undefined || error.retryMs > 20_000) throw error
    await wait(error.retryMs, undefined, { signal })
  }
  yield* ask()
}

/** What the language says of a text. */
export async function check(yaml: string, tasks: Generation['tasks'], signal: AbortSignal): Promise<AiFinding[]> {
  const { diagnostics } = await tasks.validate(yaml, signal)
  return diagnostics.map(({ params, ...one }) => ({ ...one, params: { ...params } }))
}

function mappingOf(yaml: string, slots: ReadonlyMap<string, number>): Record<string, number> {
  const used = Object.keys(parseTask(yaml).connector_refs)
  return Object.fromEntries(used.flatMap((slot) => (slots.has(slot) ? [[slot, slots.get(slot) ?? 0]] : [])))
}

interface Previewed {
  event: AiEvent
  findings: AiFinding[]
}

/** Columns and counts: rows stay here, and of errors only their code goes back to the model. */
async function preview(yaml: string, { tasks, slots }: Generation, signal: AbortSignal): Promise<Previewed> {
  const nothing: Previewed = { event: { event: 'preview', ran: false, stages: [] }, findings: [] }
  if (!isPlainRead(parseTask(yaml))) return nothing
  const body = { yaml_content: yaml, connector_mapping: mappingOf(yaml, slots), limit: PREVIEW_ROWS }
  const found = await tasks.preview(body, signal).catch((error: unknown) => {
    // No executor, a slot that nobody chose a connector for, a file that is away: the draft itself may be sound.
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!found) return nothing
  const stages = found.stages.map(({ key, columns, row_count, error }) => ({
    key,
    columns,
    row_count,
    error: error?.code ?? null,
  }))
  const failed = stages.flatMap(({ key, error }, index) =>
    error === null
      ? []
      : [
          finding(
            msg('ai_preview_failed', { stage: key, code: error }),
            index === 0 ? 'source' : `steps[${index - 1}]`,
          ),
        ],
  )
  return { event: { event: 'preview', ran: true, stages }, findings: failed }
}
