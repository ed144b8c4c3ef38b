import { keepNameUnique } from '../../platform/record-name.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { previewConnector } from '../../../contract/connector-preview.ts'
import type { previewTask } from '../../../contract/task-preview.ts'
import type { Task, TaskDetail, TaskVersion, createTask, listTaskVersions, listTasks } from '../../../contract/tasks.ts'
import { sortDiagnostics } from '../../../language/diagnostics.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { resolveArguments } from '../../../language/task/resolve-arguments.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalid, notFound } from '../../platform/refusal.ts'
import { compare, problemsIn } from '../../platform/versioned-text.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { judge, slotsRead } from './tasks.rules.ts'
import { createTasksStore } from './tasks.store.ts'
import type { TaskRow, TaskVersionRow } from './tasks.table.ts'

/** A preview reads a sample; what takes longer than this is a source to look at, not a preview to wait for. */
const previewTimeoutMs = 30_000
const sqlCheckTimeoutMs = 5_000

interface Dependencies {
  connectors: ConnectorsService
  calls: CallsService
  users: { usernames(ids: number[]): Map<number, string> }
}
type SaveBody = BodyOf<typeof createTask>

export function createTasksService({ store, events, clock }: Platform, { connectors, calls, users }: Dependencies) {
  const tasks = createTasksStore(store)

  const need = (id: number): TaskRow => tasks.get(id) ?? notFound()
  const detail = (row: TaskRow): TaskDetail => ({
    ...present(row),
    yaml_content: (tasks.version(row.id, row.current_version) ?? notFound()).yaml_content,
  })
  const changed = (row: TaskRow) =>
    events.append('task.changed', row.id, {
      name: row.name,
      current_version: row.current_version,
      archived: row.archived,
    })

  /** The document of a text that may be saved, or a refusal with every finding. */
  function accept(yaml: string) {
    const parsed = parseTask(yaml)
    const verdict = judge(parsed)
    if (verdict.kind === 'refused') invalid(verdict.details, msg('task_has_errors'))
    return { document: verdict.document, connector_refs: JSON.stringify(parsed.connector_refs) }
  }

  function save(row: TaskRow, body: SaveBody, caller: Caller): TaskRow {
    const current = tasks.version(row.id, row.current_version) ?? notFound()
    const change = compare({ yaml_content: current.yaml_content, tags: row.tags }, body)
    if (change.kind === 'none') return row
    const at = clock.iso()
    if (change.kind === 'tags') return tasks.update(row.id, { tags: body.tags, updated_at: at })
    const { document, connector_refs } = accept(body.yaml_content)
    keepNameUnique('task', document.name, tasks.getByName(document.name), row.id)
    const version = tasks.newestVersion(row.id) + 1
    tasks.insertVersion({
      task_id: row.id,
      version,
      yaml_content: body.yaml_content,
      connector_refs,
      change_summary: body.change_summary ?? null,
      created_by: caller.user_id,
      created_at: at,
    })
    const text = { name: document.name, description: document.description ?? null }
    return tasks.update(
      row.id,
      { ...text, current_version: version, connector_refs, tags: body.tags ?? row.tags, updated_at: at },
      text,
    )
  }

  return {
    list(query: QueryOf<typeof listTasks>) {
      const { rows, ...page } = tasks.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number): TaskDetail => detail(need(id)),
    etag: (id: number) => etagOf(need(id)),

    /** Shapes: body as in the contract. Refuses text with errors (VALIDATION_ERROR) and a taken name (CONFLICT). */
    create: (body: SaveBody, caller: Caller): TaskDetail =>
      store.transaction(() => {
        const { document, connector_refs } = accept(body.yaml_content)
        keepNameUnique('task', document.name, tasks.getByName(document.name))
        const at = clock.iso()
        const row = tasks.insert({
          name: document.name,
          description: document.description ?? null,
          current_version: 1,
          connector_refs,
          tags: body.tags ?? [],
          created_by: caller.user_id,
          created_at: at,
          updated_at: at,
        })
        tasks.insertVersion({
          task_id: row.id,
          version: 1,
          yaml_content: body.yaml_content,
          connector_refs,
          change_summary: body.change_summary ?? null,
          created_by: caller.user_id,
          created_at: at,
        })
        changed(row)
        return detail(row)
      }),

    /** `guard` sees the ETag of the stored task before anything changes, and refuses a stale one. */
    update: (id: number, body: SaveBody, caller: Caller, guard: (etag: string) => void): TaskDetail =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const saved = save(row, body, caller)
        if (saved !== row) changed(saved)
        return detail(saved)
      }),

    setArchived: (id: number, archived: 0 | 1) =>
      store.transaction(() => {
        const row = need(id)
        if (row.archived !== archived) changed(tasks.update(id, { archived, updated_at: clock.iso() }))
        return { success: true }
      }),

    listVersions(id: number, query: QueryOf<typeof listTaskVersions>) {
      need(id)
      const { rows, ...page } = tasks.listVersions(id, query)
      return { result: withAuthors(rows), ...page }
    },
    version(id: number, version: number): TaskVersion {
      const row = tasks.version(id, version) ?? notFound()
      const [presented] = withAuthors([row])
      return presented ?? notFound()
    },
    restoreVersion: (id: number, version: number, caller: Caller): TaskDetail =>
      store.transaction(() => {
        const row = need(id)
        const old = tasks.version(id, version) ?? notFound()
        const saved = save(
          row,
          { yaml_content: old.yaml_content, change_summary: `Restored version ${version}` },
          caller,
        )
        if (saved !== row) changed(saved)
        return detail(saved)
      }),

    /** DuckDB's parser is an executor's: without one, or while all are busy, what the language knows is the answer. */
    async validate(yaml_content: string, signal: AbortSignal) {
      const { task, diagnostics: known, connector_refs, arguments: args } = parseTask(yaml_content)
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
      const parsed = parseTask(body.yaml_content)
      const verdict = judge(parsed)
      if (verdict.kind === 'refused') invalid(verdict.details, msg('task_has_errors'))
      const { problems } = resolveArguments(parsed.arguments, body.arguments ?? {})
      if (problems.length > 0) invalid(problemsIn(problems, 'body.arguments'))
      // A preview only reads: slots that only a target uses may stay unbound.
      const mapping = body.connector_mapping ?? {}
      const read = slotsRead(verdict.document)
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
      const parsed = parseTask(yaml_content)
      const verdict = judge(parsed)
      if (verdict.kind === 'refused') invalid(verdict.details, msg('task_has_errors'))
      const connector = connectors.unsaved(form)
      const read = slotsRead(verdict.document)
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

    /** For starting runs: the current version of a task. */
    forRun(id: number) {
      const row = tasks.get(id)
      if (!row) return undefined
      const version = tasks.version(id, row.current_version) ?? notFound()
      return {
        id,
        name: row.name,
        current_version: row.current_version,
        yaml_content: version.yaml_content,
        archived: row.archived === 1,
      }
    },
    /** For starting runs of a pinned version. */
    versionForRun(id: number, version: number) {
      const row = tasks.get(id)
      const pinned = tasks.version(id, version)
      return (
        row &&
        pinned && { id, name: row.name, version, yaml_content: pinned.yaml_content, archived: row.archived === 1 }
      )
    },
  }

  function withAuthors(rows: TaskVersionRow[]): TaskVersion[] {
    const names = users.usernames(rows.flatMap((row) => row.created_by ?? []))
    return rows.map((row) => ({ ...row, created_by_name: names.get(row.created_by ?? 0) ?? null }))
  }
}
export type TasksService = ReturnType<typeof createTasksService>

const etagOf = (row: TaskRow) => `task-${row.id}-${row.revision}`

function present({ search_text: _, revision: __, ...task }: TaskRow): Task {
  return task
}
