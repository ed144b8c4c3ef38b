/** AI generation: a model proposes a text, Headgate checks it, and a person accepts it. */
import Type, { type Static } from 'typebox'
import { MAX_CHOSEN_REFERENCES } from './ai-references.ts'
import { Id, Nullable, NullableString } from './common.ts'
import { YamlContent } from './documents.ts'
import { ExplorerPresetDefinition } from './explorer-presets.ts'
import { operation, ref } from './operation.ts'

/** Whether rows of chosen connectors may be sent, after a person has seen them. */
export const aiRowsChoices = ['never', 'ask'] as const
export type AiRows = (typeof aiRowsChoices)[number]

/** `compatible`: any server with the OpenAI API. */
export const aiProviders = ['openai', 'anthropic', 'google', 'mistral', 'compatible'] as const
export type AiProvider = (typeof aiProviders)[number]

const closed = { additionalProperties: false } as const
const base = { tag: 'AI', security: 'caller' } as const

const common = {
  prompt: Type.String({ minLength: 1, maxLength: 20_000 }),
  reference_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_CHOSEN_REFERENCES, uniqueItems: true })),
}
const base_yaml = Type.Optional(YamlContent)
const part = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_000,
    description:
      'Path of the only part of `base_yaml` that may change: an entry, or an entry of one, such as `source`, `steps[2]`, `tasks.load`, or `description`. Everything else stays letter for letter',
  }),
)
export const mostChosenTasks = 50
const taskRequest = {
  ...common,
  base_yaml,
  part,
  connector_ids: Type.Optional(
    Type.Array(Id, { maxItems: 20, uniqueItems: true, description: 'Connectors that the task may use' }),
  ),
  rows: Type.Optional(
    Type.Boolean({
      description:
        'Also send some rows of tables and files. Requires the setting `ai.rows: ask` and the `digest` of a preview, which shows these rows',
    }),
  ),
}
const jobTemplateRequest = {
  ...common,
  base_yaml,
  part,
  task_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: mostChosenTasks,
      uniqueItems: true,
      description: 'Tasks that the template may run, besides those of `base_yaml`',
    }),
  ),
}
const dashboardTemplateRequest = {
  ...common,
  base_yaml,
  part,
  job_template_id: Type.Optional({
    ...Id,
    description: 'Job template that the dashboard is for; by default the one in `base_yaml`',
  }),
  job_id: Type.Optional({
    ...Id,
    description: 'A job of that template: names and types of what its databases hold are sent, for queries',
  }),
}
const queryRequest = {
  ...common,
  connector_id: Id,
  base_query: Type.Optional(
    Type.String({ maxLength: 100_000, description: 'A query that is to be changed. It is sent as it is' }),
  ),
  builder: Type.Optional(
    Type.Boolean({
      description:
        'The answer may be a definition of the query builder: the event `query` then has `resource` and `definition`, as `POST /api/connectors/{id}/query` takes them',
    }),
  ),
}

export const AiFinding = Type.Object({
  severity: Type.Enum(['error', 'warning', 'info']),
  code: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
  path: Type.String(),
  line: Type.Integer(),
  column: Type.Integer(),
  end_line: Type.Integer(),
  end_column: Type.Integer(),
})
export type AiFinding = Static<typeof AiFinding>

const references = Type.Array(Type.Object({ reference_id: Id, title: Type.String(), heading: Type.String() }))

export const AiEvent = Type.Union([
  Type.Object({ event: Type.Literal('delta'), attempt: Type.Integer(), text: Type.String() }),
  Type.Object({
    event: Type.Literal('diagnostics'),
    attempt: Type.Integer(),
    findings: Type.Array(AiFinding),
  }),
  Type.Object({
    event: Type.Literal('preview'),
    ran: Type.Boolean({ description: 'Only sources that are files or complete tables are previewed automatically' }),
    stages: Type.Array(
      Type.Object({
        key: Type.String(),
        columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
        row_count: Type.Integer(),
        error: NullableString,
      }),
    ),
  }),
  Type.Object({
    event: Type.Literal('proposal'),
    yaml_content: Type.String({ description: 'Empty if the answer has none' }),
    valid: Type.Boolean(),
    findings: Type.Array(AiFinding),
    connector_mapping: Type.Record(Type.String(), Id),
    references,
    attempts: Type.Integer(),
  }),
  Type.Object({
    event: Type.Literal('query'),
    query: Type.String({
      description: 'In the language of the connector; empty if the answer has none. Of a `definition`, its statement',
    }),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Values for `:name` in the statement of a `definition`',
    }),
    resource: NullableString,
    definition: Nullable(ref(ExplorerPresetDefinition)),
    valid: Type.Boolean(),
    findings: Type.Array(AiFinding),
    references,
    attempts: Type.Integer(),
  }),
  Type.Object({
    event: Type.Literal('explanation'),
    text: Type.String({ description: 'Plain text' }),
    yaml_content: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The complete corrected task; null if the answer changes nothing',
    }),
    valid: Type.Boolean(),
    findings: Type.Array(AiFinding),
    connector_mapping: Type.Record(Type.String(), Id, {
      description: 'Connectors of the run for the slots of the corrected task',
    }),
  }),
  Type.Object({
    event: Type.Literal('usage'),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    estimated: Type.Boolean({ description: 'The provider reported no tokens' }),
  }),
  Type.Object({
    event: Type.Literal('error'),
    code: Type.String(),
    params: Type.Record(Type.String(), Type.Unknown()),
    message: Type.String(),
  }),
])
export type AiEvent = Static<typeof AiEvent>

const expected_digest = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    'x-wanted': 'the digest of a preview',
    description: '`digest` of an earlier preview: if the first request would differ, nothing is sent (409)',
  }),
)
const sent = {
  200: Type.Object({
    url: Type.String(),
    body: Type.String(),
    digest: Type.String({ description: 'SHA-256 of `body`' }),
    held_back: Type.Integer({ description: 'Secrets that were replaced in the texts' }),
    rows: Type.Array(
      Type.Object({
        slot: Type.String(),
        resource: Type.String(),
        columns: Type.Array(Type.String()),
        rows: Type.Array(Type.Array(Type.Unknown())),
      }),
      { description: 'The rows in `body`, by connector and resource' },
    ),
  }),
}

const generated = {
  bodyLimit: 8 * 1_048_576,
  responses: {},
  streams: { 200: 'text/event-stream' },
  errors: ['VALIDATION_ERROR', 'AI_NOT_CONFIGURED', 'CONFLICT'],
} as const
const previewed = {
  description: 'Builds the first request and sends nothing. `body` is byte for byte what would be sent.',
  bodyLimit: 8 * 1_048_576,
  audited: false,
  responses: sent,
  errors: ['VALIDATION_ERROR', 'AI_NOT_CONFIGURED'],
} as const
const eventsOf =
  'The events are `delta`, `diagnostics`, `preview`, `proposal`, `usage`, and `error`, each with an object as its data.'
const neverSaved = 'The proposal is checked and never saved.'

export const generateTask = operation({
  ...base,
  ...generated,
  id: 'generateTask',
  method: 'POST',
  path: '/api/ai/generate-task',
  summary: 'Generate a task proposal from a prompt (server-sent events)',
  description: `${eventsOf} The model gets names and types of the connectors’ resources, the chosen references, and the texts of the request, never secrets, and rows only with \`rows\`. ${neverSaved}`,
  body: Type.Object({ ...taskRequest, expected_digest }, closed),
})
export const previewGenerateTask = operation({
  ...base,
  ...previewed,
  id: 'previewGenerateTask',
  method: 'POST',
  path: '/api/ai/generate-task/preview',
  summary: 'Show what a prompt would send to the AI provider',
  body: Type.Object(taskRequest, closed),
})
export const generateJobTemplate = operation({
  ...base,
  ...generated,
  id: 'generateJobTemplate',
  method: 'POST',
  path: '/api/ai/generate-job-template',
  summary: 'Generate a job template proposal from a prompt (server-sent events)',
  description: `${eventsOf} The model gets names, connector slots, and argument types of the chosen tasks, the chosen references, and the texts of the request. ${neverSaved}`,
  body: Type.Object({ ...jobTemplateRequest, expected_digest }, closed),
})
export const previewGenerateJobTemplate = operation({
  ...base,
  ...previewed,
  id: 'previewGenerateJobTemplate',
  method: 'POST',
  path: '/api/ai/generate-job-template/preview',
  summary: 'Show what a prompt for a job template would send to the AI provider',
  body: Type.Object(jobTemplateRequest, closed),
})
export const generateDashboardTemplate = operation({
  ...base,
  ...generated,
  id: 'generateDashboardTemplate',
  method: 'POST',
  path: '/api/ai/generate-dashboard-template',
  summary: 'Generate a dashboard template proposal from a prompt (server-sent events)',
  description: `${eventsOf} The model gets task keys, parameters, and connector names of the job template, names and types of what the job’s databases hold, the chosen references, and the texts of the request, never rows or secrets. ${neverSaved}`,
  body: Type.Object({ ...dashboardTemplateRequest, expected_digest }, closed),
})
export const previewGenerateDashboardTemplate = operation({
  ...base,
  ...previewed,
  id: 'previewGenerateDashboardTemplate',
  method: 'POST',
  path: '/api/ai/generate-dashboard-template/preview',
  summary: 'Show what a prompt for a dashboard template would send to the AI provider',
  body: Type.Object(dashboardTemplateRequest, closed),
})
export const generateQuery = operation({
  ...base,
  ...generated,
  id: 'generateQuery',
  method: 'POST',
  path: '/api/ai/generate-query',
  summary: 'Generate a query for a connector from a question (server-sent events)',
  description:
    'The events are `delta`, `diagnostics`, `query`, `usage`, and `error`. The model gets names and types of what the connector holds, the chosen references, and the texts of the request, never rows or secrets. The query is checked to only read, and never run.',
  body: Type.Object({ ...queryRequest, expected_digest }, closed),
})
export const previewGenerateQuery = operation({
  ...base,
  ...previewed,
  id: 'previewGenerateQuery',
  method: 'POST',
  path: '/api/ai/generate-query/preview',
  summary: 'Show what a question would send to the AI provider',
  body: Type.Object(queryRequest, closed),
})
const failure = {
  run_id: Id,
  language: Type.Optional(Type.Enum(['en', 'de'], { default: 'en', description: 'Of the answer' })),
}
export const explainRun = operation({
  ...base,
  id: 'explainRun',
  method: 'POST',
  path: '/api/ai/explain-run',
  summary: 'Explain why a run failed (server-sent events)',
  description:
    'The events are `delta`, `preview`, `explanation`, `usage`, and `error`. The model gets the task’s text, the reason of the failure, and names, types, and counts of steps and rejects, never values of rows or secrets. A corrected task, where one helps, is checked and never saved.',
  body: Type.Object({ ...failure, expected_digest }, closed),
  responses: {},
  streams: { 200: 'text/event-stream' },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'AI_NOT_CONFIGURED', 'CONFLICT'],
})
export const previewExplainRun = operation({
  ...base,
  id: 'previewExplainRun',
  method: 'POST',
  path: '/api/ai/explain-run/preview',
  summary: 'Show what an explanation would send to the AI provider',
  description: 'Builds the request and sends nothing. `body` is byte for byte what would be sent.',
  body: Type.Object(failure, closed),
  audited: false,
  responses: sent,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'AI_NOT_CONFIGURED'],
})
export const testAi = operation({
  ...base,
  id: 'testAi',
  method: 'POST',
  path: '/api/ai/test',
  summary: 'Test the AI provider with a short request',
  responses: {
    200: Type.Object({
      ok: Type.Boolean(),
      host: Type.String(),
      model: Type.String(),
      code: NullableString,
      params: Type.Record(Type.String(), Type.Unknown()),
      message: NullableString,
      first_token_ms: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    }),
  },
  errors: ['AI_NOT_CONFIGURED'],
})
