import addFormats from 'ajv-formats'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { ErrorDetail } from '../../contract/errors.ts'
import { msg } from '../../contract/messages.ts'
import { namedSchemas } from '../../contract/operation.ts'
import { nearest } from './nearest.ts'

/**
 * Validators are compiled when first needed: compiling all of them at start costs more than everything else together.
 * Bodies are taken as they are; what arrives as text (query, path, headers) is converted to the schema's types;
 * a name that may be repeated is a list, even where it is given once.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const options = { allErrors: true, strict: false, useDefaults: true, removeAdditional: false, verbose: true } as const
  let exact: Ajv | undefined
  let converting: Ajv | undefined
  const make = (coerceTypes: false | 'array') => {
    const ajv = new Ajv({ ...options, coerceTypes })
    // ajv-formats is CommonJS; its default export is the function under both module systems.
    ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
    ajv.addFormat('date-time', isTime)
    for (const schema of namedSchemas.values()) ajv.addSchema(schema)
    return ajv
  }
  return ({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined
    return (data: unknown) => {
      validate ??= (httpPart === 'body' ? (exact ??= make(false)) : (converting ??= make('array'))).compile(schema)
      if (validate(data)) return { value: data }
      return { error: new ValidationFailure(httpPart ?? 'body', validate.errors ?? []) }
    }
  }
}

/** ISO 8601 with an offset, as far as it can be calculated with: no leap second, and a year of four digits in UTC, too. */
function isTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && /^\d{4}-/.test(time.toISOString()) && isDay(text)
}

/** Date takes the 30th of February for the 2nd of March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  return day <= new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
}

const parts: Record<string, string> = { body: 'body', querystring: 'query', params: 'params', headers: 'headers' }
const MAX_DETAILS = 20

/** A request that does not fit its schema, with one detail for each mistake. */
export class ValidationFailure extends Error {
  readonly details: ErrorDetail[]

  constructor(httpPart: string, errors: ErrorObject[]) {
    super('Invalid input')
    const part = parts[httpPart] ?? httpPart
    this.details = distinct(errors)
      .slice(0, MAX_DETAILS)
      .map((error) => detailOf(part, error))
  }
}

/** Of a failed union ajv tells every branch; the union's own line, or the branch that came furthest, says enough. */
function distinct(errors: ErrorObject[]): ErrorObject[] {
  // By their places in the schema, of which there are few, while a body can miss each of them thousands of times.
  const unions = new Set<string>()
  for (const { keyword, schemaPath } of errors)
    if (keyword === 'anyOf' || keyword === 'oneOf') unions.add(`${schemaPath}/`)
  const inside = ({ schemaPath }: ErrorObject) => [...unions].some((union) => schemaPath.startsWith(union))
  const seen = new Set<string>()
  return errors.filter((error) => {
    const key = `${error.instancePath} ${error.keyword} ${error.keyword === 'additionalProperties' ? error.params.additionalProperty : ''}${error.params.missingProperty ?? ''}`
    if (inside(error) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function detailOf(part: string, error: ErrorObject): ErrorDetail {
  const path = part + pathOf(error.instancePath)
  const { keyword, params } = error
  const known = { code: keyword, params }
  if (keyword === 'required') return { path: `${path}.${params.missingProperty}`, message: 'is missing', ...known }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty)
    const near = nearest(name, Object.keys((error.parentSchema as { properties?: object })?.properties ?? {}))
    const message = `is not a known field${near ? `; did you mean ${near}?` : ''}`
    return { path: `${path}.${name}`, message, ...known }
  }
  const wanted = (error.parentSchema as { 'x-wanted'?: string })['x-wanted']
  if (keyword === 'pattern' && wanted) return { path, ...msg('field_wanted', { wanted }) }
  return { path, message: messageOf(error), ...known }
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function messageOf({ keyword, params, message, data, instancePath }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${typeName(params.type)}, not ${describe(data, isCredential(instancePath))}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${plural(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${plural(params.limit, 'character')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minItems':
      return `must have at least ${plural(params.limit, 'element')}`
    case 'maxItems':
      return `must have at most ${plural(params.limit, 'element')}`
    case 'uniqueItems':
      return 'must not hold the same element twice'
    case 'format':
      return params.format === 'date-time'
        ? 'must be a time such as 2026-03-01T08:30:00.000Z'
        : `must be a ${params.format}`
    case 'pattern':
      return `must match ${params.pattern}`
    case 'anyOf':
    case 'oneOf':
      return 'has none of the allowed forms'
    default:
      return message ?? 'is not valid'
  }
}

const articles: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function typeName(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',')
  return types.map((name) => articles[String(name)] ?? String(name)).join(' or ')
}

/** A mistyped secret is one, too: it is not repeated. */
const isCredential = (pointer: string) => /secret|password|token|key|code|credential/i.test(pointer)

function describe(data: unknown, hidden: boolean): string {
  if (data === null || data === undefined) return 'nothing'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'an object'
  const text = JSON.stringify(data)
  if (hidden) return articles[typeof data] ?? typeof data
  return text.length > 60 ? `a ${typeof data}` : text
}

/** `/steps/0/name` as `.steps[0].name`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
}
