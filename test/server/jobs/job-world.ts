import { createConnector } from '../../../src/contract/connectors.ts'
import { createJobTemplate, type JobTemplateDetail } from '../../../src/contract/job-templates.ts'
import { type JobDetail, createJob } from '../../../src/contract/jobs.ts'
import type { BodyOf } from '../../../src/contract/operation.ts'
import { type TaskDetail, createTask, updateTask } from '../../../src/contract/tasks.ts'
import { type Answer, type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

/** A task that reads `src` and writes `out`; both slots take files. */
export const taskYaml = (name: string, more = '') => `etl: 1
kind: pipeline
name: ${name}
connectors:
  src: {type: file}
  out: {types: [file, s3], access: write}
args:
  day: {type: date, required: true}
source: {connector: src, files: {glob: "\${{ args.day }}.csv"}}
target: {connector: out, file: {path: "${name}.jsonl"}}
${more}`

/** A node that runs such a task. */
export const node = (task: string, more = '') =>
  `{task: ${task}, connectors: {src: lake, out: store}, args: {day: "\${{ parameters.day }}"}${more}}`

export const templateYaml = (name: string, nodes: Record<string, string>, more = '') => `etl: 1
kind: job
name: ${name}
parameters:
  day: {type: date, default: "\${{ run.logical_date }}"}
connectors:
  lake: {type: file}
  store: {types: [file, s3], access: write}
${more}tasks:
${Object.entries(nodes)
  .map(([key, text]) => `  ${key}: ${text}\n`)
  .join('')}`

export interface JobWorld {
  server: TestServer
  editor: TestClient
  lake: number
  store: number
  newName(what?: string): string
  connector(type: string, config: Record<string, unknown>): Promise<number>
  task(name?: string, more?: string): Promise<TaskDetail>
  /** Gives the task another version. */
  edit(task: TaskDetail, more: string): Promise<TaskDetail>
  template(yaml: string): Promise<JobTemplateDetail>
  /** A job with everything bound. */
  job(template: { id: number }, more?: Partial<BodyOf<typeof createJob>>): Promise<JobDetail>
  post(templateId: number, body: object, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

/** A server with two connectors and ways to make tasks, templates and jobs. */
export async function createJobWorld(): Promise<JobWorld> {
  const server = await startTestServer()
  const editor = server.as('editor')
  const admin = server.as('admin')
  let made = 0
  const newName = (what = 'thing') => `${what}_${++made}`
  const connector = async (type: string, config: Record<string, unknown>) =>
    // The tests give types that there are.
    (await admin.call(createConnector, { body: { name: newName(type), type: type as 'file', config } })).id
  const [lake, store] = [
    await connector('file', { root: '/tmp/lake' }),
    await connector('file', { root: '/tmp/store' }),
  ]
  const mapping = { lake, store }
  return {
    server,
    editor,
    lake,
    store,
    newName,
    connector,
    task: (name = newName('task'), more = '') =>
      editor.call(createTask, { body: { yaml_content: taskYaml(name, more) } }),
    edit: ({ id, name }, more) =>
      editor.call(updateTask, { params: { id }, body: { yaml_content: taskYaml(name, more) } }),
    template: (yaml_content) => editor.call(createJobTemplate, { body: { yaml_content } }),
    job: ({ id }, more = {}) =>
      editor.call(createJob, {
        params: { id },
        body: { name: newName('job'), connector_mapping: mapping, ...more },
      }),
    post: (templateId, body, headers = {}) => editor.post(`/api/job-templates/${templateId}/jobs`, body, { headers }),
    close: () => server.close(),
  }
}
