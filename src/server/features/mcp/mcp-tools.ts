/** What agents can do. Each tool asks the REST interface as its caller, so rights, checks, and records are the same. */
import Type, { type Static, type TObject } from 'typebox'
import {
  createDashboardTemplate,
  listDashboardTemplates,
  updateDashboardTemplate,
  validateDashboardTemplate,
} from '../../../contract/dashboard-templates.ts'
import { getResource, listConnectors, listResources } from '../../../contract/connectors.ts'
import { runJob } from '../../../contract/job-run-control.ts'
import { getJobRun, getJobRunGraph } from '../../../contract/job-runs.ts'
import {
  createJobTemplate,
  listJobTemplates,
  updateJobTemplate,
  validateJobTemplate,
} from '../../../contract/job-templates.ts'
import { listJobs } from '../../../contract/jobs.ts'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../../contract/operation.ts'
import { getRun, getRunLogs, listRunSteps, triggerRun } from '../../../contract/runs.ts'
import { previewTask, validateTask } from '../../../contract/task-preview.ts'
import { createTask, listTasks, updateTask } from '../../../contract/tasks.ts'
import { withoutValues } from '../../../contract/without-values.ts'
import { ToolError } from './tool-error.ts'

/** An operation of the REST interface, as the caller of the tool. */
export type Api = <T extends Operation>(
  op: T,
  input: { params?: ParamsOf<T>; query?: QueryOf<T>; body?: BodyOf<T> },
) => Promise<ResultOf<T>>

interface ToolContext {
  api: Api
  /** The key has the scope `rows`. */
  showsRows: boolean
}
export interface Tool {
  name: string
  title: string
  description: string
  input: TObject
  readOnly: boolean
  call: (input: never, context: ToolContext) => Promise<unknown>
}

const tool = <const S extends TObject>(
  spec: Omit<Tool, 'call' | 'input'> & {
    input: S
    call: (input: Static<S>, context: ToolContext) => Promise<unknown>
  },
): Tool => spec

const closed = { additionalProperties: false } as const
const Id = Type.Integer({ minimum: 1 })
const Kind = Type.Optional(Type.Enum(['task', 'job_template', 'dashboard_template'], { default: 'task' }))
/** What each kind of document is asked with. */
const documents = {
  task: { validate: validateTask, create: createTask, update: updateTask },
  job_template: { validate: validateJobTemplate, create: createJobTemplate, update: updateJobTemplate },
  dashboard_template: {
    validate: validateDashboardTemplate,
    create: createDashboardTemplate,
    update: updateDashboardTemplate,
  },
} as const
const lists = {
  task: listTasks,
  job_template: listJobTemplates,
  dashboard_template: listDashboardTemplates,
  job: listJobs,
} as const
const Yaml = Type.String({ minLength: 1, description: 'The complete document' })
const Mapping = Type.Optional(
  Type.Record(Type.String(), Id, { description: 'Slot of the task -> id of a connector, from list_connectors' }),
)
const Arguments = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const Paging = { q: Type.Optional(Type.String({ maxLength: 200 })), cursor: Type.Optional(Type.String()) }
const page = ({ q, cursor }: { q?: string; cursor?: string }) => ({
  limit: 50,
  ...(q !== undefined && q !== '' && { q }),
  ...(cursor !== undefined && { cursor }),
})

export const tools: readonly Tool[] = [
  tool({
    name: 'list_connectors',
    title: 'List connectors',
    description: 'Connectors to databases, files, and services: id, name, type, and environment. 50 per page.',
    readOnly: true,
    input: Type.Object(Paging, closed),
    async call(input, { api }) {
      const { result, nextCursor, total } = await api(listConnectors, { query: page(input) })
      const connectors = result.map(({ id, name, type, description, environment }) => ({
        id,
        name,
        type,
        description,
        environment,
      }))
      return { connectors, total, next_cursor: nextCursor }
    },
  }),
  tool({
    name: 'describe_resource',
    title: 'Describe a resource',
    description:
      'Without `resource`: the tables, views, collections, or files of a connector (up to 200; narrow down with `q`). With it: its columns with types, keys, and indexes. Never rows.',
    readOnly: true,
    input: Type.Object(
      {
        connector_id: Id,
        resource: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
        q: Type.Optional(Type.String({ maxLength: 200 })),
      },
      closed,
    ),
    async call({ connector_id, resource, q }, { api }) {
      if (resource === undefined) {
        const query = q === undefined || q === '' ? {} : { q }
        const { resources, truncated } = await api(listResources, { params: { id: connector_id }, query })
        const shown = resources.slice(0, 200).map(({ name, kind }) => ({ name, kind }))
        return { resources: shown, all_listed: !truncated && shown.length === resources.length }
      }
      const found = await api(getResource, { params: { id: connector_id, name: resource } })
      return {
        name: found.name,
        kind: found.kind,
        columns: found.columns.map(({ name, type, nullable, primary_key }) => ({ name, type, nullable, primary_key })),
        indexes: found.indexes,
      }
    },
  }),
  tool({
    name: 'find',
    title: 'Find tasks, job templates, dashboard templates, and jobs',
    description: 'Names and ids, by a part of the name or of the YAML. 50 per page.',
    readOnly: true,
    input: Type.Object({ kind: Type.Enum(['task', 'job_template', 'dashboard_template', 'job']), ...Paging }, closed),
    async call({ kind, ...input }, { api }) {
      const query = page(input)
      const list = await api(lists[kind], { query })
      const result = list.result.map(({ id, name, description }) => ({ id, name, description }))
      return { result, total: list.total, next_cursor: list.nextCursor }
    },
  }),
  tool({
    name: 'validate',
    title: 'Validate YAML',
    description:
      'Findings of a task, job template, or dashboard template with line and column, without saving it. Read the language’s resource first: headgate://language/task, headgate://language/job, or headgate://language/dashboard.',
    readOnly: true,
    input: Type.Object({ kind: Kind, yaml_content: Yaml }, closed),
    async call({ kind = 'task', yaml_content }, { api }) {
      const answer = await api(documents[kind].validate, { body: { yaml_content } })
      const { valid, diagnostics } = answer
      const findings = diagnostics.slice(0, 30).map(({ severity, code, message, hint, path, line, column }) => ({
        severity,
        code,
        message,
        ...(hint !== undefined && { hint }),
        path,
        line,
        column,
      }))
      const more_findings = Math.max(0, diagnostics.length - findings.length)
      return {
        valid,
        findings,
        more_findings,
        ...('connector_refs' in answer && { connector_refs: answer.connector_refs }),
      }
    },
  }),
  tool({
    name: 'preview',
    title: 'Preview a task',
    description:
      'Runs a sample through each step and writes nothing. The answer has the columns and the number of rows after each step; rows only if the API key has the scope `rows`.',
    readOnly: true,
    input: Type.Object(
      {
        yaml_content: Yaml,
        connector_mapping: Mapping,
        arguments: Arguments,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      },
      closed,
    ),
    async call({ limit = 20, ...body }, { api, showsRows }) {
      const { stages, target } = await api(previewTask, { body: { ...body, limit } })
      return {
        stages: stages.map(({ key, columns, row_count, truncated, rejected, rows, error }) => ({
          key,
          // Names can be made of values: `flatten`, `map`, and headers of files do that.
          columns: columns.map(({ name, type }) => ({
            name: showsRows || body.yaml_content.includes(name) ? name : '…',
            type: showsRows ? type : type.replace(/[(<].*$/s, ''),
          })),
          row_count,
          truncated,
          rejected,
          ...(showsRows && { rows }),
          ...(error && { error: showsRows ? error : { code: error.code, ...withoutReason(error.params ?? null) } }),
        })),
        ...(target && { target: { table: target.table, exists: target.exists, drift: target.drift } }),
      }
    },
  }),
  tool({
    name: 'save',
    title: 'Save a task, job template, or dashboard template',
    description:
      'Creates it, or with `id` saves a new version. Versions are never overwritten. Ask the user before you save.',
    readOnly: false,
    input: Type.Object(
      {
        kind: Kind,
        id: Type.Optional(Id),
        yaml_content: Yaml,
        change_summary: Type.Optional(Type.String({ maxLength: 1000 })),
      },
      closed,
    ),
    async call({ kind = 'task', id, ...body }, { api }) {
      const { create, update } = documents[kind]
      const saved = id === undefined ? await api(create, { body }) : await api(update, { params: { id }, body })
      return { kind, id: saved.id, name: saved.name, version: saved.current_version }
    },
  }),
  tool({
    name: 'run',
    title: 'Run a task or job',
    description:
      'Starts a run of a task (`task_id`) or of a job (`job_id`) and returns its id. It writes to the target. Ask the user before you run something. Read the result with read_run.',
    readOnly: false,
    input: Type.Object(
      {
        task_id: Type.Optional(Id),
        job_id: Type.Optional(Id),
        arguments: Arguments,
        connector_mapping: Mapping,
      },
      closed,
    ),
    async call({ task_id, job_id, arguments: args, connector_mapping }, { api }) {
      if ((task_id === undefined) === (job_id === undefined)) throw new ToolError('Give either `task_id` or `job_id`.')
      const given = args && { arguments: args }
      if (job_id !== undefined) {
        if (connector_mapping) throw new ToolError('A job has its own connectors. Omit `connector_mapping`.')
        const started = await api(runJob, { params: { id: job_id }, body: { ...given } })
        return { job_run_id: started.id, status: started.status }
      }
      const body = { ...given, ...(connector_mapping && { connector_mapping }) }
      const started = await api(triggerRun, { params: { taskId: task_id ?? 0 }, body })
      return { run_id: started.id, status: started.status }
    },
  }),
  tool({
    name: 'read_run',
    title: 'Read a run',
    description:
      'Status, duration, error, and the rows in and out of each step of a run (`run_id`), or the tasks of a job run (`job_run_id`). Log lines only if the API key has the scope `rows`, 100 per page from `after_line`.',
    readOnly: true,
    input: Type.Object(
      {
        run_id: Type.Optional(Id),
        job_run_id: Type.Optional(Id),
        after_line: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      closed,
    ),
    async call({ run_id, job_run_id, after_line }, context) {
      if ((run_id === undefined) === (job_run_id === undefined))
        throw new ToolError('Give either `run_id` or `job_run_id`.')
      return job_run_id === undefined ? readRun(run_id ?? 0, after_line, context) : readJobRun(job_run_id, context)
    },
  }),
]

async function readRun(id: number, after: number | undefined, { api, showsRows }: ToolContext): Promise<unknown> {
  const params = { id }
  const run = await api(getRun, { params })
  const steps = await api(listRunSteps, { params })
  const { status, task_id, task_name, task_version, started_at, duration_ms, item_count, reject_count } = run
  const log =
    after === undefined || !showsRows ? undefined : await api(getRunLogs, { params, query: { after, limit: 100 } })
  return {
    run_id: id,
    status,
    task_id,
    task_name,
    task_version,
    started_at,
    duration_ms,
    item_count,
    reject_count,
    ...(run.error_code !== null && {
      error: {
        code: run.error_code,
        ...(showsRows ? { message: run.error_message } : withoutReason(run.error_params)),
      },
    }),
    steps: steps.map(({ key, status: of, rows_in, rows_out, rows_rejected, duration_ms: took }) => ({
      key,
      status: of,
      rows_in,
      rows_out,
      rows_rejected,
      duration_ms: took,
    })),
    ...(log && {
      log: log.lines.map(({ line, level, step, message }) => ({ line, level, step, message })),
      next_after_line: log.next_after,
    }),
    ...(after !== undefined &&
      !showsRows && { log: 'Log lines may hold values of rows: the API key lacks the scope `rows`.' }),
  }
}

const withoutReason = (params: Readonly<Record<string, unknown>> | null) => {
  const { code, message, hint } = withoutValues(params)
  return { reason: code, message, hint }
}

async function readJobRun(id: number, { api }: ToolContext): Promise<unknown> {
  const params = { id }
  const run = await api(getJobRun, { params })
  const graph = await api(getJobRunGraph, { params })
  const { status, job_id, job_name, started_at, duration_ms, pause_reason } = run
  return {
    job_run_id: id,
    status,
    job_id,
    job_name,
    started_at,
    duration_ms,
    pause_reason,
    tasks: graph.nodes.slice(0, 200).map(({ key, kind, status: of, reason, run_id }) => ({
      key,
      kind,
      status: of,
      reason,
      run_id,
    })),
    more_tasks: Math.max(0, graph.nodes.length - 200),
  }
}
