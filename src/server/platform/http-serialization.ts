import type { FastifyReply, FastifySerializerCompiler } from 'fastify'
import build, { type Schema as JsonSchema } from 'fast-json-stringify'
import { namedSchemas } from '../../contract/operation.ts'

type Serialize = (value: unknown) => string
// What a schema is to us here: something to look for references in.
type Schema = Record<string, unknown>

/**
 * Answers are shaped by the schema of the operation: what the contract does not name is not sent. Each serializer is made
 * when first needed, with only the named schemas that it refers to; all of them at start would take longer than the rest
 * of the start together.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<object> {
  return ({ schema }) => {
    let serialize: Serialize | undefined
    return (value: unknown) => {
      // TypeBox schemas are JSON Schemas.
      serialize ??= build(schema as JsonSchema, { schema: referenced(schema) })
      return serialize(value)
    }
  }
}

/** The named schemas that `schema` refers to, directly or through others. */
function referenced(schema: object, into: Record<string, JsonSchema> = {}): Record<string, JsonSchema> {
  for (const [key, value] of Object.entries(schema as Schema)) {
    if (key === '$ref' && typeof value === 'string') {
      const id = value.replace(/#$/, '')
      const named = namedSchemas.get(id)
      if (named && !into[id]) {
        into[id] = named as JsonSchema
        referenced(named, into)
      }
    } else if (typeof value === 'object' && value !== null) {
      referenced(value, into)
    }
  }
  return into
}

const written = new WeakMap<object, string>()

/** Answers that many get are written once: the same object has the same text. */
export function writeOnce(reply: FastifyReply, answer: object): void {
  const write = reply.getSerializationFunction(String(reply.statusCode))
  if (!write) return
  void reply.type('application/json; charset=utf-8').serializer((value: object) => {
    const known = written.get(value)
    if (known !== undefined) return known
    // It is the serializer of the route's own schema.
    const text = write(value as Record<string, unknown>)
    if (value === answer) written.set(value, text)
    return text
  })
}
