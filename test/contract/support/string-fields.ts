// Where an operation takes texts, found in its own schemas.
import type { Operation } from '../../../src/contract/operation.ts'
import { namedSchemas } from '../../../src/contract/operation.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

export type Step = string | number
export interface StringField {
  part: 'body' | 'query' | 'params'
  steps: Step[]
  /** As the details of a refusal name it. */
  path: string
}

/** The key that stands for any in an object whose keys are free. */
export const anyKey = 'any'

export const pathOfSteps = (part: StringField['part'], steps: Step[]): string =>
  part + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')

/** Every text that an operation takes; in lists the first element, in free objects one key. */
export function stringFieldsOf(op: Operation): StringField[] {
  return (['body', 'query', 'params'] as const).flatMap((part) => {
    const found = new Map<string, StringField>()
    for (const steps of textsIn(op[part] ?? {}, [], 0)) {
      const path = pathOfSteps(part, steps)
      found.set(path, { part, steps, path })
    }
    return [...found.values()]
  })
}

function textsIn(schema: Schema, at: Step[], depth: number): Step[][] {
  if (depth > 8) return []
  if (schema.$ref) return textsIn(namedSchemas.get(schema.$ref.replace(/#$/, '')) ?? {}, at, depth + 1)
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => textsIn(branch, at, depth + 1))
  const { properties = {}, items, patternProperties = {}, additionalProperties } = schema
  const types = [schema.type ?? []].flat()
  // What may be anything may be a text.
  const open = types.length === 0 && Object.keys(schema).every((key) => key === 'description')
  const own = (types.includes('string') || open) && at.length > 0 ? [at] : []
  const free = [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, inner]) => textsIn(inner, [...at, name], depth + 1)),
    ...(items ? textsIn(items, [...at, 0], depth + 1) : []),
    ...free.flatMap((inner) => textsIn(inner, [...at, anyKey], depth + 1)),
  ]
}

/** The same value with a text in one place; what is missing on the way there is made. */
export function withText(value: unknown, [step, ...rest]: Step[], text: string): unknown {
  if (step === undefined) return text
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : []
    list[step] = withText(list[step], rest, text)
    return list
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  return Object.assign(object, { [step]: withText((object as Record<string, unknown>)[step], rest, text) })
}

/** What is there; an encoded object on the way is decoded. */
export function at(value: unknown, [step, ...rest]: Step[]): unknown {
  if (step === undefined) return value
  const inside = typeof value === 'string' ? decoded(value) : value
  return typeof inside === 'object' && inside !== null ? at((inside as Record<Step, unknown>)[step], rest) : undefined
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
