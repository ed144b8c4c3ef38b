import { Validator } from '@seriousme/openapi-schema-validator'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/contract/errors.ts'
import { type Operation, namedSchemas } from '../../../src/contract/operation.ts'
import { operations } from '../../../src/contract/operations.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { operationExamples } from '../../../src/server/features/docs/operation-examples.ts'
import { errorsOf } from '../../../src/server/features/docs/openapi.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

interface Described {
  operationId: string
  security: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<
    string,
    {
      description: string
      headers?: object
      content?: Record<string, { schema: object; examples?: object; example?: unknown }>
    }
  >
}
interface OpenApi {
  openapi: string
  info: { version: string; title: string }
  security: object[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object>; responses: object }
}

let server: TestServer
let document: OpenApi
beforeAll(async () => {
  server = await startTestServer()
  document = (await server.client.get('/api/openapi.json')).body as OpenApi
})
afterAll(() => server.close())

test('is a valid OpenAPI 3.1.0 document of interface version 1.0.0', async () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('1.0.0')
  const result = await new Validator().validate({ ...structuredClone(document) })
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('says how to authenticate: API key, cookie, executor key', () => {
  expect(document.components.securitySchemes).toMatchObject({
    BearerAuth: { type: 'http', scheme: 'bearer' },
    CookieAuth: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
    ExecutorKeyAuth: { type: 'http', scheme: 'bearer' },
  })
  expect(document.security).toEqual([{ BearerAuth: [] }, { CookieAuth: [] }])
})

test('has every operation and no other', () => {
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted())
})

test('every operation says in one line what it does', () => {
  const summaries = Object.values<Operation>(operations).map(({ summary }) => summary)
  expect(summaries.filter((summary) => !/^[A-Z][^\n]{6,}[^.\n]$/.test(summary))).toEqual([])
})

const named = (id: string): Operation => {
  const op = Object.values<Operation>(operations).find((one) => one.id === id)
  if (!op) throw new Error(`There is no operation ${id}`)
  return op
}
const successOf = <T>(answers: Readonly<Record<string, T>>): T | undefined =>
  Object.entries(answers).find(([status]) => status.startsWith('2'))?.[1]

test('the operations that agents use most show a request and its answer', () => {
  const shown = [...operationExamples.keys()].map((id) => {
    const described = document.paths[named(id).path]?.[named(id).method.toLowerCase()]
    const body = described?.requestBody?.content['application/json']?.example
    const answer = successOf(described?.responses ?? {})?.content?.['application/json']?.example
    return [id, { body, answer }]
  })
  expect(shown).toEqual([...operationExamples].map(([id, { body, answer }]) => [id, { body, answer }]))
})

test('every example is what its operation takes and gives', () => {
  const mistakes = [...operationExamples].flatMap(([id, { body, answer }]) =>
    [
      { schema: named(id).body, example: body },
      { schema: successOf(named(id).responses), example: answer },
    ].flatMap(({ schema, example }) => {
      if (example === undefined) return []
      if (!schema) return [`${id} has an example of nothing`]
      const [, errors] = Compile(resolved(schema)).Errors(example)
      return errors.map(({ instancePath, message }) => `${id} ${instancePath} ${message}`)
    }),
  )
  expect(mistakes).toEqual([])
})

test('examples of documents have no findings', () => {
  const yamlOf = (id: string) => {
    // Both save a document.
    const { yaml_content } = (operationExamples.get(id)?.body ?? {}) as { yaml_content?: string }
    return yaml_content ?? ''
  }
  expect(parseTask(yamlOf('createTask')).diagnostics).toEqual([])
  expect(parseJob(yamlOf('createJobTemplate')).diagnostics).toEqual([])
})

/** With what it refers to in its place. */
const resolved = (schema: TSchema): TSchema =>
  // A JSON schema, as it was before.
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === '$id') return undefined
      const { $ref } = (value ?? {}) as { $ref?: string } // of any part of a schema
      return typeof $ref === 'string' ? namedSchemas.get($ref.slice(0, -1)) : value
    }),
  ) as TSchema

test('every reference leads to a component, each under the name of the contract', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target!)
  expect(references.length).toBeGreaterThan(50)
  for (const target of references) {
    const name = /^#\/components\/schemas\/(.+)$/.exec(target)?.[1] ?? `no component: ${target}`
    expect(document.components.schemas).toHaveProperty(name)
  }
  for (const name of ['Error', 'Task', 'Run', 'User', 'ApiKey', 'LoginResult'])
    expect(document.components.schemas).toHaveProperty(name)
})

describe.each(Object.values(operations).map((op: Operation) => [op.id, op] as const))('%s', (_, op) => {
  const described = () => document.paths[op.path]![op.method.toLowerCase()]!

  test('has its security; what is open says so by an empty list', () => {
    const expected = {
      none: [],
      executor: [{ ExecutorKeyAuth: [] }],
      pending: [{ CookieAuth: [] }],
      caller: [{ BearerAuth: [] }, { CookieAuth: [] }],
    }
    expect(described().security).toEqual(expected[op.security])
  })

  test('has its successes, streams and errors with the Error schema and an example', () => {
    const { responses } = described()
    // 204 has no body.
    for (const status of Object.keys(op.responses))
      expect('application/json' in (responses[status]?.content ?? {})).toBe(status !== '204')
    for (const [status, types] of Object.entries(op.streams ?? {}))
      expect(Object.keys(responses[status]?.content ?? {})).toEqual(expect.arrayContaining([types].flat()))
    for (const code of errorsOf(op)) {
      const json = responses[errorCodes[code].status]?.content?.['application/json']
      expect(json).toMatchObject({ schema: { $ref: '#/components/schemas/Error' }, examples: { [code]: {} } })
    }
  })

  test('has its parameters and headers', () => {
    const named = new Set(described().parameters?.map(({ name, in: place }) => `${place} ${name.toLowerCase()}`))
    const expected = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name!.toLowerCase()}`)
    if (op.idempotent) expected.push('header idempotency-key')
    if (op.ifMatch) expected.push('header if-match')
    if (op.ifNoneMatch) expected.push('header if-none-match')
    expect([...named]).toEqual(expect.arrayContaining(expected))
    expect(JSON.stringify(described().responses).includes('"ETag"')).toBe(op.etag === true)
    const { requestBody } = described()
    expect(Object.keys(requestBody?.content ?? {})).toEqual(op.body ? (op.bodyTypes ?? ['application/json']) : [])
    expect(requestBody?.required ?? false).toBe(op.body !== undefined && !op.bodyOptional)
  })
})

describe('the document says literally', () => {
  const schema = (name: string) => document.components.schemas[name] as { properties: Record<string, unknown> }

  test('that a flag is an integer, an enum of texts a string, and when a job was changed a time', () => {
    expect(schema('Trigger').properties['enabled']).toMatchObject({ type: 'integer', enum: [0, 1] })
    for (const [of, field] of [
      ['Trigger', 'type'],
      ['Run', 'status'],
      ['Run', 'trigger_type'],
      ['Job', 'status'],
      ['JobRun', 'status'],
    ] as const)
      expect(schema(of).properties[field], `${of}.${field}`).toMatchObject({ type: 'string' })
    expect(schema('Job').properties['updated_at']).toMatchObject({ type: 'string', format: 'date-time' })
  })

  test('what the lines of an import are, and what too many wrong codes are answered with', () => {
    const [, lines] = Object.entries(document.paths['/api/import']!['post']!.responses['200']!.content!)[0]!
    expect(lines).toEqual({
      schema: {
        anyOf: [{ $ref: '#/components/schemas/ImportResultLine' }, { $ref: '#/components/schemas/ImportSummaryLine' }],
      },
    })
    const tooMany = document.paths['/api/auth/verify-totp']!['post']!.responses['429']!
    expect(JSON.stringify(tooMany)).toContain('Too many failed TOTP attempts. Try again later.')
  })

  test('which answers any request may get', () => {
    expect(Object.keys(document.components.responses).toSorted()).toEqual([
      'HEADERS_TOO_LARGE',
      'METHOD_NOT_ALLOWED',
      'REQUEST_TIMEOUT',
    ])
  })
})

describe('the browsable reference', () => {
  test('is one page whose scripts and styles all come from here, none of them inline', async () => {
    const page = await server.client.get('/api/docs')
    expect(page.status).toBe(200)
    const html = String(page.body)
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    expect(html).not.toMatch(/\son\w+=/)
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(4)
    for (const link of links) {
      expect(link).toMatch(/^\/api\/docs\//)
      const file = await server.client.get(link)
      expect([link, file.status]).toEqual([link, 200])
      expect(file.headers.get('content-security-policy')).toContain("script-src 'self';")
    }
  })

  test('shows the same document', async () => {
    expect((await server.client.get('/api/docs/json')).body).toEqual(document)
  })
})
