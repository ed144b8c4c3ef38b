import Type, { type Static } from 'typebox'

/** Every machine code of an error answer, with its status and the message used when no better one is at hand. */
export const errorCodes = {
  VALIDATION_ERROR: { status: 400, message: 'Invalid input' },
  INVALID_STATE: { status: 400, message: 'The record is in a state that does not allow this' },
  IMPORT_ERROR: { status: 400, message: 'The bundle could not be read' },
  AI_NOT_CONFIGURED: { status: 400, message: 'AI is not configured: set ai.api_key in the server configuration' },
  AUTH_ERROR: { status: 401, message: 'Not authenticated' },
  FORBIDDEN: { status: 403, message: 'Your role does not allow this' },
  NOT_FOUND: { status: 404, message: 'Resource not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take that method' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  CONFLICT: { status: 409, message: 'The record was changed meanwhile' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send application/json' },
  MISDIRECTED_REQUEST: { status: 421, message: 'This Host is not served here' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large' },
  INTERNAL_ERROR: { status: 500, message: 'Internal error' },
  CONNECTOR_ERROR: { status: 502, message: 'The connected system refused' },
  UNAVAILABLE: { status: 503, message: 'Not available right now' },
  TIMEOUT: { status: 504, message: 'The work took too long' },
} as const

export type ErrorCode = keyof typeof errorCodes

/** Answers whose message is always the same, as the interface contract has it; what there is to say besides is a detail. */
export const fixedMessages: readonly ErrorCode[] = ['VALIDATION_ERROR', 'AUTH_ERROR', 'NOT_FOUND']

/** Of errors of runs, previews and calls of executors. */
export const MessageParams = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
  description:
    'What the message was made with, by name. `reason` is the code of its text, which is finer than `code`; `fix` the hint as a separate message',
})

const nullableParams = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true, description })

/** Beside `error_message` of a record. */
export const ErrorParams = nullableParams(
  'What the text next to it was made with. `reason` is the stable code of its text, `fix` what to do about it; null where nothing but the text is known',
)

/** Beside a text that was made by an executor; older ones send the text alone. */
export const madeBy = {
  code: Type.Optional(Type.String({ description: 'Stable code of the text' })),
  params: Type.Optional(MessageParams),
}

/** Beside a text that is kept with a record. */
export const keptMessage = {
  code: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Stable code of the text; null where an older record has nothing but the text',
  }),
  params: nullableParams('What the text was made with, by name; a value can be a message `{code, params, message}`'),
}

export const ErrorDetail = Type.Object({
  path: Type.String({
    description: 'Where in the request: body.yaml_content, query.limit, …; `request` for the request as a whole',
  }),
  message: Type.String(),
  code: Type.String({
    description:
      'What is wrong, for programs. Lower case and stable: the reason (`job_archived`, `field_unknown`, …), the keyword of JSON Schema that does not hold (`required`, `minLength`, …), or the code of a diagnostic. Executors give the code of the connected system.',
  }),
  params: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the message was made with, such as `{"limit": 200}` for `maximum`',
  }),
  name: Type.Optional(Type.String({ description: 'Error class of the far system' })),
  line: Type.Optional(Type.Integer()),
  column: Type.Optional(Type.Integer()),
})
export type ErrorDetail = Static<typeof ErrorDetail>

/** The body of every error answer. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Machine code' }),
    message: Type.String(),
    code: Type.Optional(
      Type.String({ description: 'Why, for programs, as in `details`: absent where `error` says all that there is' }),
    ),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'What the message was made with; comes with `code`' }),
    ),
    details: Type.Optional(Type.Array(ErrorDetail)),
    request_id: Type.Optional(Type.String()),
  },
  { $id: 'Error' },
)
export type ErrorBody = Static<typeof ErrorBody>
