import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifySchema } from 'fastify'
import { type ErrorCode, ErrorBody, errorCodes } from '../../../contract/errors.ts'
import { type Operation, type Security, namedSchemas } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { type Policy, policies } from '../../../contract/policy.ts'
import { interfaceVersion } from '../../platform/version.ts'
import { type OperationExample, operationExamples } from './operation-examples.ts'

/**
 * An app of its own that carries every operation's full description and no handler: the OpenAPI document and the reference
 * are made from it. It is built when somebody asks, as describing everything costs more than the whole start.
 */
export async function createReferenceApp(): Promise<FastifyInstance> {
  const app = Fastify({ logger: false })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headgate',
        version: interfaceVersion,
        description:
          'The control plane’s API. Every error is an `Error` object, lists are paged with opaque cursors, and times are ISO 8601 in UTC. Any request can also return one of the responses `METHOD_NOT_ALLOWED`, `REQUEST_TIMEOUT`, and `HEADERS_TOO_LARGE`.',
      },
      servers: [{ url: '/' }],
      security: [{ BearerAuth: [] }, { CookieAuth: [] }],
      tags: [...new Set(Object.values(operations).map(({ tag }) => tag))].map((name) => ({ name })),
      components: {
        responses: anyRequest(),
        securitySchemes: {
          BearerAuth: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'svc_<hex>',
            description: 'API key created with POST /api/api-keys',
          },
          CookieAuth: {
            type: 'apiKey',
            in: 'cookie',
            name: 'svc_session',
            description: 'Set when you sign in; complete after TOTP verification if that is required',
          },
          ExecutorKeyAuth: {
            type: 'http',
            scheme: 'bearer',
            description: 'The shared executor key, configured as SVC_EXECUTOR_KEY',
          },
        },
      },
    },
    transformObject: completed,
    // Components keep the names that the contract gives them.
    refResolver: { buildLocalReference: ({ $id }) => (typeof $id === 'string' ? $id : '') },
  })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  for (const schema of new Set([...namedSchemas.values(), ErrorBody])) app.addSchema(schema)
  for (const op of Object.values(operations)) describe(app, op)
  return app
}

/** The plugin calls every body required, and enums of texts have no type of their own. */
const completed: SwaggerTransformObject = (described) => {
  if (!('openapiObject' in described)) return described.swaggerObject
  const { paths } = described.openapiObject
  for (const op of Object.values<Operation>(operations)) {
    const item = paths?.[op.path]?.[lowerCase[op.method]]
    if (op.bodyOptional && item?.requestBody && 'required' in item.requestBody) item.requestBody.required = false
    if (item) showExample(item, operationExamples.get(op.id) ?? {})
  }
  for (const schema of schemasIn(described.openapiObject)) {
    if (schema.type === undefined && schema.enum?.every((value) => typeof value === 'string')) schema.type = 'string'
  }
  return described.openapiObject
}

/** Where a request and its success are described as JSON. */
function showExample(item: object, { body, answer }: OperationExample): void {
  // Written by the plugin, as OpenAPI has them.
  const { requestBody, responses = {} } = item as {
    requestBody?: { content?: Content }
    responses?: Record<string, { content?: Content }>
  }
  const status = Object.keys(responses).find((one) => one.startsWith('2')) ?? ''
  for (const [content, example] of [
    [requestBody?.content, body],
    [responses[status]?.content, answer],
  ] as const) {
    const json = content?.['application/json']
    if (json && example !== undefined) json.example = example
  }
}
type Content = Record<string, { example?: unknown }>

interface AnySchema {
  type?: unknown
  enum?: readonly unknown[]
}

/** Every object within: schemas are among them. */
function* schemasIn(node: unknown): Generator<AnySchema> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node) && 'enum' in node && Array.isArray(node.enum)) yield node as AnySchema
  for (const inner of Object.values(node)) yield* schemasIn(inner)
}

const lowerCase = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const

function describe(app: FastifyInstance, op: Operation): void {
  app.route({
    method: op.method,
    url: op.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    schema: schemaOf(op),
    handler: () => {},
  })
}

// What swagger reads beyond Fastify's own schema keys it declares itself (operationId, tags, security …).
function schemaOf(op: Operation): FastifySchema {
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    ...(op.description && { description: op.description }),
    security: securityOf(op.security),
    ...(op.params && { params: op.params }),
    ...(op.query && { querystring: op.query }),
    ...(headersOf(op) && { headers: headersOf(op) }),
    ...(op.body && { body: op.body }),
    ...(op.bodyTypes && { consumes: [...op.bodyTypes] }),
    response: { ...successes(op), ...failures(op) },
  }
}

function securityOf(security: Security): Record<string, string[]>[] {
  if (security === 'none') return []
  if (security === 'executor') return [{ ExecutorKeyAuth: [] }]
  return security === 'pending' ? [{ CookieAuth: [] }] : [{ BearerAuth: [] }, { CookieAuth: [] }]
}

function headersOf(op: Operation): object | undefined {
  const properties: Record<string, object> = {}
  if (op.idempotent) {
    properties['Idempotency-Key'] = {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'The same key with the same request returns the first response again, for 24 hours',
    }
  }
  if (op.ifMatch) {
    properties['If-Match'] = {
      type: 'string',
      description: 'The ETag that GET returned; 409 if the record has changed since',
    }
  }
  if (op.ifNoneMatch) {
    properties['If-None-Match'] = { type: 'string', enum: ['*'], description: 'Only create; 409 if it already exists' }
  }
  if (op.streams?.[200] === 'text/event-stream') {
    properties['Last-Event-ID'] = {
      type: 'string',
      description: 'The last event received; the stream continues after it',
    }
  }
  const own: { properties?: object; required?: string[] } | undefined = op.headers
  if (!own && Object.keys(properties).length === 0) return undefined
  return { type: 'object', properties: { ...own?.properties, ...properties }, required: own?.required ?? [] }
}

const phrases: Record<number, string> = { 200: 'OK', 201: 'Created', 204: 'No content' }

function successes(op: Operation): Record<number, object> {
  const answers: Record<number, object> = {}
  const statuses = new Set([...Object.keys(op.responses), ...Object.keys(op.streams ?? {})].map(Number))
  for (const status of statuses) {
    if (status === 204) {
      answers[status] = { description: phrases[status], type: 'null' }
      continue
    }
    const content: Record<string, object> = {}
    if (op.responses[status]) content['application/json'] = { schema: op.responses[status] }
    for (const type of [op.streams?.[status] ?? []].flat())
      content[type] = { schema: op.lines ?? (type === 'application/json' ? {} : { type: 'string' }) }
    answers[status] = {
      description: phrases[status] ?? 'Success',
      ...(op.etag && {
        headers: { ETag: { type: 'string', description: 'Version of the record, for If-Match' } },
      }),
      content,
    }
  }
  return answers
}

/** The errors that an operation can give: its own, and those of its policy and of the HTTP layer. */
export function errorsOf(op: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(op.errors)
  // `operations` and `policies` have the same keys; an id that were missing would not have been registered.
  const policy = (policies as Readonly<Record<string, Policy>>)[op.id]
  if (op.security !== 'none') codes.add('AUTH_ERROR')
  if (op.body)
    for (const code of ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) codes.add(code)
  if (op.params || op.query) codes.add('VALIDATION_ERROR')
  if (op.idempotent || op.ifMatch) codes.add('CONFLICT')
  // Executors are no browsers: their origin does not matter. Their callbacks are also taken while the server ends.
  const fromExecutor = policy?.access === 'executor'
  if (policy?.access === 'role' || (op.method !== 'GET' && !fromExecutor)) codes.add('FORBIDDEN')
  if (!fromExecutor) codes.add('UNAVAILABLE')
  for (const code of ['MISDIRECTED_REQUEST', 'RATE_LIMITED', 'INTERNAL_ERROR'] as const) codes.add(code)
  return [...codes].toSorted((a, b) => errorCodes[a].status - errorCodes[b].status)
}

/** What belongs to no operation: another method, and a request that did not get as far. */
function anyRequest() {
  const codes = ['METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    codes.map((code) => [
      code,
      { description: `${errorCodes[code].status} ${code}: ${errorCodes[code].message}`, content },
    ]),
  )
}

function failures(op: Operation): Record<number, object> {
  const byStatus = Map.groupBy(errorsOf(op), (code) => errorCodes[code].status)
  const answers: Record<number, object> = {}
  for (const [status, codes] of byStatus) {
    const message = (code: ErrorCode): string => op.messages?.[code] ?? errorCodes[code].message
    const examples = Object.fromEntries(codes.map((code) => [code, { value: { error: code, message: message(code) } }]))
    answers[status] = {
      description: codes.map((code) => `${code}: ${message(code)}`).join(' · '),
      ...(status === 429 && {
        headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } },
      }),
      content: { 'application/json': { schema: { $ref: 'Error#' }, examples } },
    }
  }
  return answers
}
