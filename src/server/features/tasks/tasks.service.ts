import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { previewConnector } from '../../../contract/connector-preview.ts'
import type { previewTask } from '../../../contract/task-preview.ts'
import { sortDiagnostics } from '../../../language/diagnostics.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { resolveArguments } from '../../../language/task/resolve-arguments.ts'
import { createDocumentsService } from '../../platform/documents/documents.service.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalid } from '../../platform/refusal.ts'
import { problemsIn } from '../../platform/versioned-text.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { judge, slotsRead, taskKind, valuesOf } from './tasks.rules.ts'
import { createTasksStore } from './tasks.store.ts'

/** A preview reads a sample; what takes longer than this is a source to look at, not a preview to wait for. */
const previewTimeoutMs = 30_000
const sqlCheckTimeoutMs = 5_000

interface Dependencies {
  connectors: ConnectorsService
  calls: CallsService
  readings: ReadingsService
  users: { usernames(ids: number[]): Map<number, string> }
}

export function createTasksService(platform: Platform, { connectors, calls, readings, users }: Dependencies) {
  /** The task of a text that may be saved or tried, or a refusal with every finding. */
  function accepted(parsed: ParsedTask) {
    const verdict = judge(parsed)
    if (verdict.kind === 'refused') invalid(verdict.details, msg('task_has_errors'))
    return { ...parsed, document: verdict.document }
  }

  return {
    ...createDocumentsService(platform, {
      kind: taskKind,
      documents: createTasksStore(platform.store),
      accept(yaml) {
        const { document, ...parsed } = accepted(readings.now('task', yaml, undefined))
        return valuesOf(document, parsed)
      },
      ahead: (yaml, signal) => readings.ahead('task', yaml, undefined, signal),
      users,
    }),

    /** DuckDB's parser is an executor's: without one, or while all are busy, what the language knows is the answer. */
    async validate(yaml_content: string, signal: AbortSignal) {
      const read = await readings.read('task', yaml_content, undefined, signal)
      const { task, diagnostics: known, connector_refs, arguments: args } = read
      const checked = task
        ? await calls.call({ kind: 'check_sql', yaml_content }, sqlCheckTimeoutMs, signal).catch((error: unknown) => {
            if (error instanceof Refusal) return null
            throw error
          })
        : null
      const diagnostics = sortDiagnostics([...known, ...(checked?.diagnostics ?? [])])
      return {
        valid: diagnostics.every((d) => d.severity !== 'error'),
        diagnostics,
        sql_checked: checked !== null,
        connector_refs: { ...connector_refs },
        arguments: { ...args },
      }
    },

    /** Runs a sample on an executor and waits for it. Aborting the signal cancels the work there. */
    async preview(body: BodyOf<typeof previewTask>, signal: AbortSignal) {
      const parsed = accepted(await readings.read('task', body.yaml_content, undefined, signal))
      const { problems } = resolveArguments(parsed.arguments, body.arguments ?? {})
      if (problems.length > 0) invalid(problemsIn(problems, 'body.arguments'))
      // A preview only reads: slots that only a target uses may stay unbound.
      const mapping = body.connector_mapping ?? {}
      const read = slotsRead(parsed.document)
      const needed = Object.fromEntries(
        Object.entries(parsed.connector_refs).filter(([slot]) => slot in mapping || read.includes(slot)),
      )
      return calls.call(
        {
          kind: 'preview',
          yaml_content: body.yaml_content,
          arguments: body.arguments ?? {},
          connectors: connectors.bind(mapping, needed),
          step: body.step ?? null,
          limit: body.limit ?? 100,
        },
        previewTimeoutMs,
        signal,
      )
    },

    /** The same with a connector that is not saved, which the source reads from. */
    async previewConnector(body: BodyOf<typeof previewConnector>, signal: AbortSignal) {
      const { yaml_content, limit, ...form } = body
      const parsed = accepted(await readings.read('task', yaml_content, undefined, signal))
      const connector = connectors.unsaved(form)
      const read = slotsRead(parsed.document)
      const unfit = read.filter((slot) => parsed.connector_refs[slot]?.types.includes(form.type) !== true)
      if (read.length === 0) invalid([{ path: 'body.yaml_content', ...msg('task_reads_nothing') }])
      if (unfit.length > 0) {
        invalid([{ path: 'body.type', ...msg('slot_takes_no', { slots: unfit, type: form.type }) }])
      }
      return calls.call(
        {
          kind: 'preview',
          yaml_content,
          arguments: {},
          connectors: Object.fromEntries(read.map((slot) => [slot, connector])),
          step: null,
          limit: limit ?? 100,
        },
        previewTimeoutMs,
        signal,
      )
    },
  }
}
export type TasksService = ReturnType<typeof createTasksService>
