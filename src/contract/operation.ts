/**
 * An operation is one endpoint, described once: the server validates and shapes by it, OpenAPI is generated from it, the
 * typed client calls by it, and the policy table names it. TypeBox schemas carry the types.
 */
import Type, { type Static, type TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a caller proves who he is; `none` endpoints carry an explicit empty security list in OpenAPI. */
export type Security = 'caller' | 'pending' | 'executor' | 'none'

export interface Operation {
  readonly id: string
  readonly method: Method
  /** With `{name}` path parameters, as in OpenAPI. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly security: Security
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  /** The body may be left out. */
  readonly bodyOptional?: boolean
  /** Content types of a body that is no JSON: the handler reads it from the request as it comes. */
  readonly bodyTypes?: readonly string[]
  /** Body limit in bytes where it differs from the default of 1 MiB. */
  readonly bodyLimit?: number
  /** Status → JSON body schema of each success. */
  readonly responses: Readonly<Record<number, TSchema>>
  /** Success bodies that are no JSON of this contract: status → content type, or those that the caller chooses from. */
  readonly streams?: Readonly<Record<number, string | readonly string[]>>
  /** What each line of a stream of JSON lines is. */
  readonly lines?: TSchema
  /** Errors beyond those that every operation of its security can give. */
  readonly errors: readonly ErrorCode[]
  /** Messages of its own for some of them. */
  readonly messages?: Readonly<Partial<Record<ErrorCode, string>>>
  /** Accepts `Idempotency-Key`: the same key and body gives the first answer again. */
  readonly idempotent?: boolean
  /** Accepts `If-Match` with the ETag that the GET gave. */
  readonly ifMatch?: boolean
  /** Accepts `If-None-Match: *`: what is there already is left as it is. */
  readonly ifNoneMatch?: boolean
  /** Recorded in the audit log: by default whatever is no GET. False for a POST that changes nothing. */
  readonly audited?: boolean
  /** Answers with an ETag. */
  readonly etag?: boolean
}

/** Keeps the literal types of an operation. */
export const operation = <const T extends Operation>(spec: T): T => spec

/** Every schema that is referred to by name, by name: the components of the OpenAPI document. */
export const namedSchemas = new Map<string, TSchema>()

/** A reference to a schema that carries an `$id`: clean `$ref`s in OpenAPI, the full type for TypeScript. */
export function ref<T extends TSchema>(schema: T) {
  // TypeBox keeps options such as $id on the value, not in the type.
  const { $id } = schema as { $id?: string }
  if (!$id) throw new Error('ref() needs a schema with an $id')
  namedSchemas.set($id, schema)
  return Type.Unsafe<Static<T>>(Type.Ref(`${$id}#`))
}

type StaticOr<T, Fallback> = T extends TSchema ? Static<T> : Fallback
export type ParamsOf<T extends Operation> = StaticOr<T['params'], Record<never, never>>
export type QueryOf<T extends Operation> = StaticOr<T['query'], Record<never, never>>
export type BodyOf<T extends Operation> = StaticOr<T['body'], undefined>
/** The JSON body of the success answers. */
export type ResultOf<T extends Operation> = {
  [S in keyof T['responses']]: T['responses'][S] extends TSchema ? Static<T['responses'][S]> : never
}[keyof T['responses']]
