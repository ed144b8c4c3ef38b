/** AI generation: a model proposes a task, Headgate checks it, and a person accepts it. */
import Type, { type Static } from 'typebox'
import { MAX_CHOSEN_REFERENCES } from './ai-references.ts'
import { Id, NullableString } from './common.ts'
import { YamlContent } from './documents.ts'
import { operation } from './operation.ts'

/** `compatible`: any server with the OpenAI API. */
export const aiProviders = ['openai', 'anthropic', 'google', 'mistral', 'compatible'] as const
export type AiProvider = (typeof aiProviders)[number]

const closed = { additionalProperties: false } as const
const base = { tag: 'AI', security: 'caller' } as const

const request = {
  prompt: Type.String({ minLength: 1, maxLength: 20_000 }),
  connector_ids: Type.Optional(
    Type.Array(Id, { maxItems: 20, uniqueItems: true, description: 'Connectors that the task may use' }),
  ),
  reference_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_CHOSEN_REFERENCES, uniqueItems: true })),
  base_yaml: Type.Optional(YamlContent),
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
    yaml_content: Type.String({ description: 'Empty if the answer has no task' }),
    valid: Type.Boolean(),
    findings: Type.Array(AiFinding),
    connector_mapping: Type.Record(Type.String(), Id),
    references: Type.Array(Type.Object({ reference_id: Id, title: Type.String(), heading: Type.String() })),
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
  }),
}

export const generateTask = operation({
  ...base,
  id: 'generateTask',
  method: 'POST',
  path: '/api/ai/generate-task',
  summary: 'Generate a task proposal from a prompt (server-sent events)',
  description:
    'The events are `delta`, `diagnostics`, `preview`, `proposal`, `usage`, and `error`, each with an object as its data. The model gets names and types of the connectors’ resources, the chosen references, and the texts of the request, never rows or secrets. The proposal is checked and never saved.',
  body: Type.Object({ ...request, expected_digest }, closed),
  bodyLimit: 8 * 1_048_576,
  responses: {},
  streams: { 200: 'text/event-stream' },
  errors: ['VALIDATION_ERROR', 'AI_NOT_CONFIGURED', 'CONFLICT'],
})
export const previewGenerateTask = operation({
  ...base,
  id: 'previewGenerateTask',
  method: 'POST',
  path: '/api/ai/generate-task/preview',
  summary: 'Show what a prompt would send to the AI provider',
  description: 'Builds the first request and sends nothing. `body` is byte for byte what would be sent.',
  body: Type.Object(request, closed),
  bodyLimit: 8 * 1_048_576,
  audited: false,
  responses: sent,
  errors: ['VALIDATION_ERROR', 'AI_NOT_CONFIGURED'],
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
    'The events are `delta`, `explanation`, `usage`, and `error`. The model gets the task’s text, the reason of the failure, and names, types, and counts of steps and rejects, never values of rows or secrets. A corrected task, where one helps, is checked and never saved.',
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
export const getAiUsage = operation({
  ...base,
  id: 'getAiUsage',
  method: 'GET',
  path: '/api/ai/usage',
  summary: 'Get the state of AI generation and the tokens used since midnight UTC',
  responses: {
    200: Type.Object({
      configured: Type.Boolean(),
      host: NullableString,
      model: NullableString,
      requests: Type.Integer(),
      tokens: Type.Integer(),
      daily_tokens: Type.Integer({ description: '0: no limit' }),
    }),
  },
  errors: [],
})
