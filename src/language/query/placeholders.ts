/** `{{name}}` in definitions, and the values that take their place. */
import { mistake, type QueryDefinition, type QueryParameter } from './query.types.ts'
import { queryMsg } from './query-messages.ts'

const placeholder = /\{\{(\w+)\}\}/g
const objectId = /^[0-9a-f]{24}$/i

export type Fill = (text: string) => string

/** Characters that values put into one query: a long value that is used a thousand times would take all memory there is. */
const mostFilled = 10_000_000

/**
 * Says what takes the place of placeholders. Each text is gone through once: a value that holds `{{name}}` itself stays as it is. A
 * parameter that may be missing and has no value is empty text.
 */
export function fillerOf(definition: QueryDefinition, given: Readonly<Record<string, unknown>>): Fill {
  const values = new Map((definition.parameters ?? []).map((parameter) => [parameter.name, valueOf(parameter, given)]))
  let filled = 0
  return (text) =>
    text.replace(placeholder, (written, name: string) => {
      const value = values.get(name)
      if (value === undefined) return written
      filled += value.length
      if (filled > mostFilled)
        throw mistake(`parameters.${name}`, queryMsg('query_parameter_long', { most: mostFilled }))
      return value
    })
}

function valueOf(parameter: QueryParameter, given: Readonly<Record<string, unknown>>): string {
  const { name, required = true, defaultValue = '' } = parameter
  const wrong = (reason: Parameters<typeof mistake>[1]) => mistake(`parameters.${name}`, reason)
  const raw = Object.hasOwn(given, name) ? given[name] : undefined
  if (raw !== undefined && raw !== null && typeof raw !== 'string')
    throw wrong(queryMsg('query_parameter_text', { name }))
  const text = (raw ?? defaultValue).trim()
  if (text === '') {
    if (required) throw wrong(queryMsg('query_parameter_missing', { name }))
    return ''
  }
  if (parameter.type === 'objectId' && !objectId.test(text)) throw wrong(queryMsg('query_value_object_id'))
  return text
}

/** Refuses values that belong to no parameter of the definition. */
export function refuseStrangers(definition: QueryDefinition, given: Readonly<Record<string, unknown>>): void {
  const known = new Set((definition.parameters ?? []).map(({ name }) => name))
  const stranger = Object.keys(given).find((name) => !known.has(name))
  if (stranger !== undefined)
    throw mistake(`parameters.${stranger}`, queryMsg('query_parameter_unknown', { name: stranger }))
}

/** A query in JSON with its placeholders filled: inside of strings only, so that a value never becomes an operator. */
export function filledJson(text: string, fill: Fill): string {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return JSON.stringify(walk(JSON.parse(text)))
}
