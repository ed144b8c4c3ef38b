/** Whether a value has the form of a definition, where no request has been checked for it. */
import { Compile } from 'typebox/schema'
import {
  type ExplorerPresetDefinition,
  ExplorerPresetDefinition as Definition,
} from '../../../contract/explorer-presets.ts'
import { namedSchemas } from '../../../contract/operation.ts'

/** The schema with those that it refers to in their places. */
function compiledDefinition() {
  const schema: unknown = JSON.parse(
    JSON.stringify(Definition, (key, value: unknown) => {
      if (key === '$id') return undefined
      const { $ref } = (value ?? {}) as { $ref?: string } // of any part of a schema
      return typeof $ref === 'string' ? namedSchemas.get($ref.slice(0, -1)) : value
    }),
  )
  // A JSON schema, as it was before.
  return Compile(schema as typeof Definition)
}
/** Made when it is first needed: few servers ever do. */
let form: ReturnType<typeof compiledDefinition> | undefined

/** The definition, or the path of what is wrong in it. */
export function readDefinition(value: unknown): { definition: ExplorerPresetDefinition } | { wrong: string } {
  form ??= compiledDefinition()
  if (form.Check(value)) return { definition: value }
  const [, [first]] = form.Errors(value)
  return { wrong: (first?.instancePath ?? '').slice(1).replaceAll('/', '.') }
}
