import { setTimeout as wait } from 'node:timers/promises'
import type { AiEvent, AiFinding } from '../../../contract/ai.ts'
import type { AiReferencePart } from '../../../contract/ai-references.ts'
import { msg } from '../../../contract/messages.ts'
import { type Draft, signatureOf } from './draft.rules.ts'
import type { HeldBack } from './held-back.rules.ts'
import { repairText } from './prompt.rules.ts'
import { ProviderFailure } from './provider-call.ts'
import type { Prompt } from './provider-wire.rules.ts'

/** The first draft and its repairs. */
const MOST_CALLS = 3
export const DEADLINE_MS = 90_000

type Preview = Extract<AiEvent, { event: 'preview' }>
/** What a preview showed, and what the model must hear of it. */
export interface Previewed {
  event: Preview
  findings: AiFinding[]
}
type Proposal = Extract<AiEvent, { event: 'proposal' }>
/** What is said of every draft, whatever it is. */
export type Outcome = Pick<Proposal, 'valid' | 'findings' | 'references' | 'attempts'>

/** What differs from one kind of draft to the next. */
export interface Drafts {
  read(answer: string): Draft
  check(text: string, signal: AbortSignal): Promise<AiFinding[]>
  /** What of the findings goes back to the model: nothing about what the request doesn’t name. All of it by default. */
  told?(findings: readonly AiFinding[], text: string): AiFinding[]
  /** Of a sound draft, where its kind has rows to look at. */
  preview?(text: string, signal: AbortSignal): Promise<Previewed>
  /** The last event; empty: there is no draft. */
  proposal(text: string, outcome: Outcome): AiEvent
}

export interface Generation {
  drafts: Drafts
  parts: readonly AiReferencePart[]
  held: HeldBack
  first: Prompt
  /** The draft as it may be proposed, if only a part of a text is to change. */
  fit?: ((text: string, signal: AbortSignal) => Promise<Draft>) | undefined
  /** One call of the provider, accounted for. */
  ask: (prompt: Prompt, signal: AbortSignal) => AsyncGenerator<string>
  signal: AbortSignal
  deadlineMs: number
}

/** Draft, check, repair, preview, propose. Nothing is saved, and nothing that the model wrote is run but a plain read. */
export async function* generate(generation: Generation): AsyncGenerator<AiEvent> {
  const { drafts, first, held, parts, fit = whole } = generation
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
      const draft = drafts.read(answer)
      const { text, findings: early } = draft.text === null ? draft : await fit(held.restore(draft.text), signal)
      const checked = text === null ? early : [...early, ...(await drafts.check(text, signal))]
      const previewed = isValid(checked) && text !== null ? await drafts.preview?.(text, signal) : undefined
      if (previewed) yield previewed.event
      const findings = [...checked, ...(previewed?.findings ?? [])]
      yield { event: 'diagnostics', attempt, findings }
      const signature = signatureOf(findings)
      if (isValid(findings) || attempt === MOST_CALLS || seen.has(signature)) {
        const references = parts.map(({ reference_id, title, heading }) => ({ reference_id, title, heading }))
        yield drafts.proposal(text ?? '', { valid: isValid(findings), findings, references, attempts: attempt })
        return
      }
      seen.add(signature)
      // What was put back into the draft may stand in a finding.
      const repair = repairText(drafts.told?.(findings, text ?? '') ?? findings, held.hideQuoted)
      turns = [...first.turns, { role: 'assistant', text: answer }, { role: 'user', text: repair }]
    }
  } catch (error) {
    generation.signal.throwIfAborted()
    const reason = deadline.aborted ? msg('ai_deadline', { seconds: generation.deadlineMs / 1000 }) : reasonOf(error)
    yield { event: 'error', ...reason, params: { ...reason.params } }
  }
}

const whole = (text: string): Promise<Draft> => Promise.resolve({ text, findings: [] })

/** A document that is proposed. `connector_mapping`: of the slots that it uses. */
export const documentProposal =
  (connector_mapping: (text: string) => Record<string, number> = () => ({})) =>
  (yaml_content: string, outcome: Outcome): Proposal => ({
    event: 'proposal',
    yaml_content,
    connector_mapping: connector_mapping(yaml_content),
    ...outcome,
  })

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
