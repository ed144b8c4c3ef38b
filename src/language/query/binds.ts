import type { BuiltQuery } from './query.types.ts'

/** Collects the values of a query under names that say which field they belong to. */
export function createBinds() {
  const parameters: BuiltQuery['parameters'] = {}
  return {
    parameters,
    /** `:name` for a value. */
    add(field: string, value: string | number | boolean): string {
      const stem = /[A-Za-z_][A-Za-z0-9_]{0,39}/.exec(field.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^[_\d]+/, ''))?.[0]
      let name = stem ?? 'value'
      for (let number = 2; Object.hasOwn(parameters, name); number++) name = `${stem ?? 'value'}_${number}`
      parameters[name] = value
      return `:${name}`
    },
  }
}
export type QueryBinds = ReturnType<typeof createBinds>
