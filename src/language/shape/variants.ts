import { entryOf, type YamlMap } from '../yaml/yaml-tree.ts'
import { object, objectSchema, type Fields, type FieldValues } from './collections.ts'
import { readMistyped } from './mistyped-keys.ts'
import { reportType } from './report-value.ts'
import type { ReadContext, Shape } from './shape.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** One way to fill a map, told by the key it has: a `source` with `files`, a `target` with `table`. */
export interface Variant<T> {
  key: string
  fields: Fields
  description: string
  read(node: YamlMap, path: string, context: ReadContext): T | undefined
}

export interface VariantDefinition<T, F extends Fields> {
  /** The key that tells this variant; one of `fields`. */
  key: keyof F & string
  noun: Message
  description: string
  fields: F
  /** What its fields are read with, e.g. names of binds that stand beside the SQL. */
  context?(node: YamlMap, context: ReadContext): ReadContext
  /** From what is written to the normalised form; reports what only shows when all fields are known. */
  build(values: FieldValues<F>, node: YamlMap, path: string, context: ReadContext): T | undefined
}

export function defineVariant<T, F extends Fields>(definition: VariantDefinition<T, F>): Variant<T> {
  const shape = object(definition.fields, { noun: definition.noun, description: definition.description })
  return {
    key: definition.key,
    fields: definition.fields,
    description: definition.description,
    read(written, path, outer) {
      const node = readMistyped(written, Object.keys(definition.fields))
      const context = definition.context?.(node, outer) ?? outer
      const values = shape.read(node, path, context)
      return values === undefined ? undefined : definition.build(values, node, path, context)
    },
  }
}

export interface OneOfOptions<T> {
  /** "source" */
  noun: Message
  description: string
  variants: readonly Variant<T>[]
}

export function oneOf<T>(options: OneOfOptions<T>): Shape<T> {
  const { noun, variants, description } = options
  const keys = variants.map((variant) => variant.key)
  return {
    schema: {
      description,
      anyOf: variants.map((variant) => objectSchema(variant.fields, variant.description)),
    },
    read(written, path, context) {
      const node = written.kind === 'map' ? withVariant(written, keys) : written
      if (node.kind !== 'map') return reportType(node, path, context, msg('a_map'), msg('has_one_of', { noun, keys }))
      const [variant, second] = variants.filter((one) => entryOf(node, one.key))
      if (variant && second) {
        context.report({
          code: 'several_choices',
          message: msg('has_two_of', { noun, first: variant.key, second: second.key }),
          hint: msg('keep_one'),
          path,
          at: entryOf(node, second.key)?.keySpan ?? node.mark,
        })
        return undefined
      }
      return variant ? variant.read(node, path, context) : reportMissing(node, path, context, noun, keys)
    },
  }
}

/** Without one of the keys that tell the variants apart, a mistyped one is read as what was meant. */
function withVariant(map: YamlMap, keys: readonly string[]): YamlMap {
  return keys.some((key) => entryOf(map, key)) ? map : readMistyped(map, keys)
}

function reportMissing(
  node: YamlMap,
  path: string,
  context: ReadContext,
  noun: Message,
  keys: readonly string[],
): undefined {
  context.report({
    code: 'missing_choice',
    message: msg('has_none_of', { noun, keys }),
    hint: msg('add_one_of', { key: keys[0] ?? '' }),
    path,
    at: node.mark,
  })
  return undefined
}
