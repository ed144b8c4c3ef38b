import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { type ErrorBody, type ErrorCode, errorCodes } from '../../../src/contract/errors.ts'
import type { Answer, TestClient } from '../../support/server.ts'

interface DescribedAnswer {
  headers?: Record<string, { schema: object }>
  content?: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>
}
interface DescribedOperation {
  operationId: string
  responses: Record<string, DescribedAnswer>
}
interface OpenApi {
  paths: Record<string, Record<string, DescribedOperation>>
}

/** The interface as the server describes it at /api/openapi.json, to hold its answers against. */
export interface Interface {
  readonly ids: string[]
  /** The codes of the errors that an operation is said to give. */
  documentedErrors(id: string): ErrorCode[]
  /** Fails unless the answer is one that the operation is said to give: status, type, headers and body. */
  check(id: string, answer: Answer): void
}

const SCHEMA = 'openapi'
const escaped = (segment: string) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))

export async function fetchInterface(client: TestClient): Promise<Interface> {
  const answer = await client.get('/api/openapi.json')
  expect(answer.status).toBe(200)
  // Its form is what test/server/docs validates.
  const document = answer.body as OpenApi
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // ajv-formats is CommonJS; its default export is the function under both module systems.
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, SCHEMA)
  const validators = new Map<string, ValidateFunction>()
  const compile = (schema: object) => {
    const key = JSON.stringify(schema)
    const known = validators.get(key) ?? ajv.compile(schema)
    validators.set(key, known)
    return known
  }
  const described = new Map<string, { place: string; operation: DescribedOperation }>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      described.set(operation.operationId, { place: `${SCHEMA}#/paths/${escaped(path)}/${method}`, operation })
    }
  }
  const find = (id: string) => described.get(id) ?? expect.fail(`${id} is not in the document`)

  function documentedErrors(id: string): ErrorCode[] {
    return Object.values(find(id).operation.responses).flatMap(({ content }) =>
      // A test of the document compares them with the contract's.
      Object.keys(content?.['application/json']?.examples ?? {}).map((code) => code as ErrorCode),
    )
  }

  function check(id: string, { status, headers, body }: Answer): void {
    const { place, operation } = find(id)
    const what = `${id} ${status} ${JSON.stringify(body)?.slice(0, 500)}`
    const answer = operation.responses[status] ?? expect.fail(`not documented: ${what}`)
    const type = headers.get('content-type')?.split(';', 1)[0] ?? 'none'
    expect(Object.keys(answer.content ?? {}), what).toContain(type)
    for (const [name, { schema }] of Object.entries(answer.headers ?? {})) {
      const value = headers.get(name) ?? expect.fail(`no header ${name}: ${what}`)
      expect(compile(schema)(typeOf(schema) === 'integer' ? Number(value) : value), `${name}: ${value}`).toBe(true)
    }
    if (type !== 'application/json') return
    const validate = compile({
      $ref: `${place}/responses/${status}/content/${escaped(type)}/schema`,
    })
    expect(validate(body), `${what}\n${ajv.errorsText(validate.errors)}`).toBe(true)
    if (status >= 400) checkError(id, { status, headers, body }, documentedErrors(id))
  }

  return { ids: [...described.keys()], documentedErrors, check }
}

const typeOf = (schema: object) => ('type' in schema ? schema.type : undefined)

/** What every error has in common. */
export function checkError(what: string, { status, headers, body }: Answer, allowed?: ErrorCode[]): void {
  // Checked piece by piece below.
  const { error, message, details, request_id } = body as ErrorBody
  if (allowed) expect(allowed, `${what}: ${status} ${JSON.stringify(body)}`).toContain(error)
  expect(Object.keys(errorCodes), what).toContain(error)
  expect(errorCodes[error as ErrorCode].status, `${what}: ${error}`).toBe(status)
  expect(message, what).toMatch(/\S/)
  expect(request_id, what).toBe(headers.get('x-request-id'))
  for (const detail of details ?? []) {
    expect(detail, what).toEqual(
      expect.objectContaining({ path: expect.any(String) as unknown, message: expect.any(String) as unknown }),
    )
  }
  if (error === 'AUTH_ERROR') expect(headers.get('www-authenticate'), what).toBe('Bearer')
  if (error === 'METHOD_NOT_ALLOWED') expect(headers.get('allow'), what).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  if (error === 'RATE_LIMITED') expect(Number(headers.get('retry-after')), what).toBeGreaterThan(0)
}
