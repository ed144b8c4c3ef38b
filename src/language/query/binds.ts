import { createNumbering } from '../numbering.ts'
import type { BuiltQuery } from './query.types.ts'

/** Collects the values of a query under names that say which field they belong to. */
export function createBinds() {
  const parameters: BuiltQuery['parameters'] = {}
  const isTaken = (name: string) => Object.hasOwn(parameters, name)
  const numbered = createNumbering(isTaken)
  return {
    parameters,
    /** `:name` for a value. */
    add(field: string, value: string | number | boolean): string {
      const stem = /[A-Za-z_][A-Za-z0-9_]{0,39}/.exec(field.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^[_\d]+/, ''))?.[0]
      const wanted = stem ?? 'value'
      const name = isTaken(wanted) ? numbered(wanted) : wanted
      parameters[name] = value
      return `:${name}`
    },
  }
}
export type QueryBinds = ReturnType<typeof createBinds>
