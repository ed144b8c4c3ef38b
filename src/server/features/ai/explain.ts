import type { AiEvent } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import type { Run, RunStep } from '../../../contract/runs.ts'
import type { RunRejectGroup } from '../../../contract/run-rejects.ts'
import { withoutValues } from '../../../contract/without-values.ts'
import { draftOf, knownFindings, proseOf } from './draft.rules.ts'
import { hiddenIn } from './prompt.rules.ts'
import { type Generation, isValid, patiently, reasonOf } from './generate.ts'
import { type Slots, checkTask, mappingOf, previewTask } from './task-drafts.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import type { TasksService } from '../tasks/tasks.service.ts'

export interface FailedRun {
  run: Run
  /** What ran. */
  yaml: string
  steps: readonly RunStep[]
  rejects: readonly RunRejectGroup[]
}

const MOST_COLUMNS = 300
const MOST_GROUPS = 20

/** A failure as a model may know it: names, types, counts, and reasons. Values of rows, log lines, and texts of other systems stay here. */
export function failureText({ run, yaml, steps, rejects }: FailedRun, hide: (text: string) => string): string {
  const reasonIn = (params: Run['error_params']) => {
    const { code, message, hint } = withoutValues(params)
    return { reason: code, message, hint }
  }
  const facts = {
    task: yaml,
    failure: { code: run.error_code, ...reasonIn(run.error_params) },
    attempt: { number: run.attempt, of: run.max_attempts },
    steps: steps.map(({ index, label, status, rows_in, rows_out, rows_rejected, columns }) => ({
      step: index,
      label,
      status,
      rows_in,
      rows_out,
      rows_rejected,
      columns: columns.slice(0, MOST_COLUMNS).map(({ name, type }) => ({ name, type })),
    })),
    rejects: rejects.slice(0, MOST_GROUPS).map(({ step, count, code, params }) => ({
      step,
      rows: count,
      ...reasonIn({ ...params, reason: code }),
    })),
  }
  return JSON.stringify(hiddenIn(facts, hide), null, 1)
}

type Explanation = Pick<Generation, 'first' | 'held' | 'ask' | 'signal' | 'deadlineMs'> & {
  tasks: Pick<TasksService, 'validate' | 'preview'>
  readings: Pick<ReadingsService, 'read'>
  /** What ran, where a corrected text has a place; null: the answer is only told. */
  base: string | null
  /** What the run was given. */
  slots: Slots
  args: Record<string, unknown>
}

/** What a model says of a failure. A task that it proposes is checked like any other, and goes nowhere by itself. */
export async function* explain(explanation: Explanation): AsyncGenerator<AiEvent> {
  const { first, held, tasks, readings, base, slots, args, deadlineMs } = explanation
  const deadline = AbortSignal.timeout(deadlineMs)
  const signal = AbortSignal.any([explanation.signal, deadline])
  const read = (yaml: string) => readings.read('task', yaml, undefined, signal)
  try {
    let answer = ''
    for await (const text of patiently(() => explanation.ask(first, signal), signal)) {
      answer += text
      yield { event: 'delta', attempt: 1, text }
    }
    const { text: yaml } = draftOf(answer)
    const restored = base === null || yaml === null ? null : held.restore(yaml)
    const proposed = restored?.trim() === base?.trim() ? null : restored
    const draft = proposed === null ? null : await read(proposed)
    const findings =
      proposed === null || !draft
        ? []
        : [
            ...(await checkTask(proposed, tasks, signal)),
            ...knownFindings(draft, [], { prompt: '', before: base === null ? undefined : await read(base) }),
          ]
    if (proposed !== null && draft && isValid(findings)) {
      const previewed = await previewTask(proposed, draft, { slots, args }, tasks, signal)
      yield previewed.event
      findings.push(...previewed.findings)
    }
    yield {
      event: 'explanation',
      // Without what was held back: that is put back into a text which had it, and nowhere else.
      text: proseOf(answer),
      yaml_content: proposed,
      valid: isValid(findings),
      findings,
      connector_mapping: draft ? mappingOf(draft, slots) : {},
    }
  } catch (error) {
    explanation.signal.throwIfAborted()
    const reason = deadline.aborted ? msg('ai_deadline', { seconds: deadlineMs / 1000 }) : reasonOf(error)
    yield { event: 'error', ...reason, params: { ...reason.params } }
  }
}
