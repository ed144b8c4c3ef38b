/** `{{name}}` in values, replaced once: what a value holds is never looked at again. */
import { runMessage } from '../../../contract/run-messages.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'

export type Fill = (text: string) => string

export function filling(parameters: Readonly<Record<string, unknown>>): Fill {
  return (text) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
      if (value !== undefined && value !== null) return typeof value === 'string' ? value : JSON.stringify(value)
      throw new EngineError('QUERY_INVALID', runMessage('change_parameter_missing', { name }), {
        hint: runMessage('bind_without_value_fix'),
      })
    })
}

/** The same in every text of a document; names of fields stay. */
export function filled(value: Json, fill: Fill): Json {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((item) => filled(item, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, fill)]))
}
