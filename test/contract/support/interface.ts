import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type ErrorBody, type ErrorCode, type ErrorDetail, errorCodes } from '../../../src/contract/errors.ts'
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
  /** What keeps the answer from being one that the operation is said to give: status, type, headers, body. */
  complaints(id: string, answer: Answer): string[]
}

const SCHEMA = 'openapi'
const escaped = (segment: string) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))

export async function fetchInterface(client: TestClient): Promise<Interface> {
  const answer = await client.get('/api/openapi.json')
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
  const find = (id: string) => {
    const found = described.get(id)
    if (!found) throw new Error(`${id} is not in the document`)
    return found
  }

  function documentedErrors(id: string): ErrorCode[] {
    return Object.values(find(id).operation.responses).flatMap(({ content }) =>
      // A test of the document compares them with the contract's.
      Object.keys(content?.['application/json']?.examples ?? {}).map((code) => code as ErrorCode),
    )
  }

  function complaints(id: string, { status, headers, body }: Answer): string[] {
    const { place, operation } = find(id)
    const answer = operation.responses[status]
    const type = headers.get('content-type')?.split(';', 1)[0] ?? 'none'
    if (status === 204 && answer && !answer.content && type === 'none' && body === '') return []
    if (!answer?.content?.[type]) return [`${id} is not said to answer ${status} ${type}: ${JSON.stringify(body)}`]
    const found = Object.entries(answer.headers ?? {}).flatMap(([name, { schema }]) => {
      const value = headers.get(name)
      const converted = 'type' in schema && schema.type === 'integer' ? Number(value) : value
      return compile(schema)(converted) ? [] : [`${id} ${status}: the header ${name} is ${value}`]
    })
    if (type !== 'application/json') return found
    const validate = compile({ $ref: `${place}/responses/${status}/content/${escaped(type)}/schema` })
    if (!validate(body)) found.push(`${id} ${status}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`)
    if (status < 400) return found
    return [
      ...found,
      ...errorComplaints({ status, headers, body }, documentedErrors(id)).map((text) => `${id}: ${text}`),
    ]
  }

  return { ids: [...described.keys()], documentedErrors, complaints }
}

/** What is wrong with an error answer; every one has the same form. */
export function errorComplaints(
  { status, headers, body }: Answer,
  allowed = Object.keys(errorCodes).map((code) => code as ErrorCode),
): string[] {
  // Looked at piece by piece.
  const { error, message, details, request_id } = (body ?? {}) as Partial<ErrorBody>
  const code = allowed.find((known) => known === error)
  if (!code) return [`the code ${error} is not among ${allowed.join(', ')}: ${status} ${JSON.stringify(body)}`]
  const found: string[] = []
  const must = (holds: boolean, what: string) => holds || found.push(`${what}: ${status} ${JSON.stringify(body)}`)
  must(errorCodes[code].status === status, 'the status is not that of the code')
  must(typeof message === 'string' && message.trim() !== '', 'there is no message')
  must(request_id !== undefined && request_id === headers.get('x-request-id'), 'the request id is not the header’s')
  const isDetail = ({ path, message: text }: ErrorDetail) => typeof path === 'string' && /\S/.test(text)
  must(details === undefined || (details.length > 0 && details.every(isDetail)), 'a detail lacks path or message')
  if (code === 'AUTH_ERROR') must(headers.get('www-authenticate') === 'Bearer', 'WWW-Authenticate is missing')
  if (code === 'METHOD_NOT_ALLOWED') must(/^[A-Z]+(, [A-Z]+)*$/.test(headers.get('allow') ?? ''), 'Allow is missing')
  if (code === 'RATE_LIMITED') must(Number(headers.get('retry-after')) > 0, 'Retry-After is missing')
  return found
}
