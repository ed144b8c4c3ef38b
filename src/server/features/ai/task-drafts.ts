import type { AiFinding, previewGenerateTask } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { reasonWithoutValues } from '../../../contract/without-values.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import type { TasksService } from '../tasks/tasks.service.ts'
import { draftOf, finding, isPlainRead, knownFindings } from './draft.rules.ts'
import { type Previewed, documentProposal } from './generate.ts'
import { type Connectors, knowledgeOf, slotsOf } from './knowledge.ts'
import type { Plan } from './plan.types.ts'
import { taskText } from './prompt.rules.ts'
import { withRows, withoutSecrets } from './sample-rows.ts'

type Tasks = Pick<TasksService, 'validate' | 'preview'>
interface Features {
  connectors: Connectors
  tasks: Tasks
  readings: Pick<ReadingsService, 'read'>
}

const PREVIEW_ROWS = 20

/** What the language says of a text. */
export async function checkTask(
  yaml: string,
  tasks: Pick<TasksService, 'validate'>,
  signal: AbortSignal,
): Promise<AiFinding[]> {
  const { diagnostics } = await tasks.validate(yaml, signal)
  return diagnostics.map(({ params, ...one }) => ({ ...one, params: { ...params } }))
}

/** Tasks that use the chosen connectors. */
export function planTask({ connectors, tasks, readings }: Features) {
  return async (body: BodyOf<typeof previewGenerateTask>, signal: AbortSignal): Promise<Plan> => {
    const { prompt, base_yaml } = body
    const slots = slotsOf(connectors, body.connector_ids ?? [])
    const described = await knowledgeOf(connectors, slots, [prompt, base_yaml ?? ''], signal)
    const known = body.rows ? await withRows(described, Object.fromEntries(slots), tasks, signal) : described
    const read = (yaml: string, until: AbortSignal) => readings.read('task', yaml, undefined, until)
    let before: ParsedTask | undefined
    /** The draft that was checked last, which is previewed and proposed next. */
    let draft: ParsedTask | undefined
    return {
      system: taskText,
      facts: (hide) => ({ connectors: withoutSecrets(known, hide) }),
      drafts: {
        read: draftOf,
        async check(yaml, until) {
          const found = await checkTask(yaml, tasks, until)
          draft = await read(yaml, until)
          before ??= base_yaml === undefined ? undefined : await read(base_yaml, until)
          return [...found, ...knownFindings(draft, known, { prompt, before })]
        },
        preview: async (yaml, until) => (draft ? previewTask(yaml, draft, { slots }, tasks, until) : notPreviewed),
        proposal: documentProposal((yaml) => (yaml === '' || !draft ? {} : mappingOf(draft, slots))),
      },
    }
  }
}

/** Slot → connector id. */
export type Slots = ReadonlyMap<string, number>

export function mappingOf(draft: ParsedTask, slots: Slots): Record<string, number> {
  const used = Object.keys(draft.connector_refs)
  return Object.fromEntries(used.flatMap((slot) => (slots.has(slot) ? [[slot, slots.get(slot) ?? 0]] : [])))
}

const notPreviewed: Previewed = { event: { event: 'preview', ran: false, stages: [] }, findings: [] }

/**
 * Columns and counts: rows stay here, and of errors only their code and their reason without its values go back to the model. What is more
 * than a plain read is not previewed. `args`: of a run that is explained.
 */
export async function previewTask(
  yaml_content: string,
  draft: ParsedTask,
  { slots, args }: { slots: Slots; args?: Record<string, unknown> },
  tasks: Tasks,
  signal: AbortSignal,
): Promise<Previewed> {
  if (!isPlainRead(draft)) return notPreviewed
  const body = {
    yaml_content,
    connector_mapping: mappingOf(draft, slots),
    limit: PREVIEW_ROWS,
    ...(args && { arguments: args }),
  }
  const found = await tasks.preview(body, signal).catch((error: unknown) => {
    // No executor, a slot that nobody chose a connector for, a file that is away: the draft itself may be sound.
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!found) return notPreviewed
  const stages = found.stages.map(({ key, columns, row_count, error }) => ({
    key,
    columns,
    row_count,
    error: error?.code ?? null,
  }))
  const failed = found.stages.flatMap(({ key, error }, index) => {
    if (!error) return []
    const one = finding(
      msg('ai_preview_failed', { stage: key, code: error.code }),
      index === 0 ? 'source' : `steps[${index - 1}]`,
    )
    // Which column and type, and how many rows: what the model needs in order to repair it.
    const reason = reasonWithoutValues(error.params ?? null)
    return reason ? [{ ...one, hint: reason.message, params: { ...one.params, fix: reason } }] : [one]
  })
  return { event: { event: 'preview', ran: true, stages }, findings: failed }
}
