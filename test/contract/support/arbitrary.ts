// Requests made up from the contract's own schemas: mostly right, so that they get past the door, with something wrong in
// some place, so that whatever stands behind it is tried as well.
import fc from 'fast-check'
import type { Operation } from '../../../src/contract/operation.ts'
import { namedSchemas } from '../../../src/contract/operation.ts'
import type { Request } from './send.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
interface Schema {
  $ref?: string
  type?: string | string[]
  const?: Json
  enum?: Json[]
  anyOf?: Schema[]
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxItems?: number
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

const nastyTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '🚂'.repeat(70),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE tasks; --",
  '" OR ""="',
  '%',
  '%00',
  '../../etc/passwd',
  '\r\nX-Injected: 1',
  '\u202e\u200b\ufeff',
  '${{ run.id }}',
  '{{ 7 * 7 }}',
  'NaN',
  '-0',
  '1e309',
  'null',
  '[]',
]
const nastyText = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ unit: 'binary', maxLength: 40 }))
const nastyNumber = fc.constantFrom(0, -0, -1, 0.5, 1e21, 2 ** 53, -(2 ** 53), 2 ** 31, 2 ** 63, 1e308)
const nasty: fc.Arbitrary<Json> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.constantFrom(null, true, false, [], {}, [[[[]]]], { a: { a: {} } }),
  // What JSON cannot say (undefined, NaN) does not come out of it.
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
)
const times = fc.constantFrom(
  '2026-03-01T08:30:00.000Z',
  '1970-01-01T00:00:00Z',
  '2026-03-01T08:30:00+14:00',
  '2016-12-31T23:59:60Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2999-01-01t00:00:00.123456789z',
)

/** Values for fields that mean something: without them hardly anything would be found. */
export type Known = Readonly<Record<string, fc.Arbitrary<Json>>>

function valueOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<Json> {
  const meant = known[name]
  const right = meant ?? rightValue(schema, known)
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: nasty })
}

function rightValue(schema: Schema, known: Known): fc.Arbitrary<Json> {
  if (schema.$ref) {
    // Named schemas are JSON Schemas.
    const target = namedSchemas.get(schema.$ref.replace(/#$/, ''))
    return target ? rightValue(target, known) : nasty
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => rightValue(branch, known)))
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? nasty : fc.oneof(...types.map((type) => ofType(type, schema, known)))
}

function ofType(type: string, schema: Schema, known: Known): fc.Arbitrary<Json> {
  switch (type) {
    case 'object':
      return objectOf(schema, known)
    case 'array':
      return fc.array(schema.items ? valueOf(schema.items, known) : nasty, {
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      })
    case 'string':
      if (schema.format === 'date-time') return times
      return fc.oneof(fc.constantFrom('a', 'b', 'name', '1'), nastyText)
    case 'integer': {
      const { minimum = -10, maximum = Number.MAX_SAFE_INTEGER } = schema
      return fc.oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 5) }),
        fc.constantFrom(minimum, maximum),
      )
    }
    case 'number':
      return fc.oneof(fc.constantFrom(0, 1, 2.5), nastyNumber)
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

function objectOf({ properties, required = [], patternProperties, additionalProperties }: Schema, known: Known) {
  if (!properties) {
    const [values] = Object.values(patternProperties ?? {})
    const open = typeof additionalProperties === 'object' ? additionalProperties : {}
    const schema = values ?? open
    return fc.dictionary(fc.oneof(fc.constantFrom('files', 'out', 'a'), nastyText), valueOf(schema, known), {
      maxKeys: 3,
    })
  }
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, known, name)]),
  )
  const right = fc.record<Record<string, Json>>(fields, { requiredKeys: required })
  const oneMore = fc.tuple(right, nastyText, nasty).map(([value, key, more]) => ({ ...value, [key]: more }))
  const oneLess = fc
    .tuple(right, fc.nat())
    .map(([value, at]) => Object.fromEntries(Object.entries(value).filter((_, i, all) => i !== at % all.length)))
  return fc.oneof(
    { weight: 10, arbitrary: right },
    { weight: 1, arbitrary: oneMore },
    { weight: 1, arbitrary: oneLess },
  )
}

const asText = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))
/** Header values cannot hold more. */
const headerText = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ,;="/*\\-_%<>éÿ'), maxLength: 60 })

/** Requests to an operation. `known` has values for fields and parameters by name. */
export function requestsTo(
  op: Operation,
  known: Known,
  headers: Record<string, fc.Arbitrary<string>>,
): fc.Arbitrary<Request> {
  // The contract's schemas are JSON Schemas.
  const { properties: params = {} } = (op.params ?? {}) as Schema
  const { properties: query = {} } = (op.query ?? {}) as Schema
  const optional: Texts = {
    ...(op.ifMatch && { 'if-match': fc.oneof(fc.constant('*'), headerText) }),
    ...(op.ifNoneMatch && { 'if-none-match': fc.oneof(fc.constant('*'), headerText) }),
    ...(op.idempotent && { 'idempotency-key': headerText }),
    ...(op.streams && {
      accept: fc.constantFrom('text/event-stream', 'application/json', '*/*;q=0.5'),
      'last-event-id': fc.oneof(fc.constantFrom('0', '1', '-1', '1.5', '9007199254740993', '1e3', ' 2'), headerText),
    }),
  }
  const body = op.body ? valueOf(op.body, known) : fc.constant(undefined)
  return (
    fc
      .record({
        params: fc.record(textsOf(params, known)),
        query: fc.oneof(
          { weight: 5, arbitrary: someOf(textsOf(query, known)) },
          { weight: 1, arbitrary: fc.dictionary(nastyText, nastyText, { maxKeys: 2 }) },
        ),
        headers: fc
          .tuple(fc.record(headers), someOf(optional))
          .map(([always, sometimes]) => ({ ...always, ...sometimes })),
        body: op.bodyOptional ? fc.option(body, { nil: undefined }) : body,
      })
      // Such a segment is resolved by the client before anything is sent.
      .filter((request) => Object.values(request.params).every((text) => text !== '' && !/^\.{1,2}$/.test(text)))
      .map((request) => ({
        ...request,
        params: Object.fromEntries(Object.entries(request.params).map(([name, text]) => [name, text.toWellFormed()])),
        // A text body is sent as it is: JSON texts are wanted.
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
      }))
  )
}

type Texts = Record<string, fc.Arbitrary<string>>

const textsOf = (schemas: Record<string, Schema>, known: Known): Texts =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, valueOf(schema.items ?? schema, known, name).map(asText)]),
  )

/** Any of the fields may be left out. */
const someOf = (texts: Texts): fc.Arbitrary<Record<string, string>> =>
  fc
    .record(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fc.option(text, { nil: undefined })])),
    )
    .map((values) =>
      Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    )
