import { nearest } from '../nearest.ts'
import { entryOf, type YamlMap } from '../yaml/yaml-tree.ts'
import { objectSchema, object, type Fields, type FieldValues } from './collections.ts'
import { readMistyped } from './mistyped-keys.ts'
import { reportType } from './report-value.ts'
import type { ReadContext, Shape } from './shape.types.ts'
import { joinPath } from '../yaml/yaml-tree.ts'
import { shortened } from '../shortened.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** One form of a map whose `type` says which keys it has. */
export interface TypedForm<T> {
  type: string
  description: string
  fields: Fields
  read(node: YamlMap, path: string, context: ReadContext): T | undefined
}

interface Definition<T, F extends Fields> {
  type: string
  noun: Message
  description: string
  fields: F
  /** From what is written to the normalised form; reports what only shows when all fields are known. */
  build(values: FieldValues<F>, node: YamlMap, path: string, context: ReadContext): T | undefined
}

export function defineTyped<T, F extends Fields>(definition: Definition<T, F>): TypedForm<T> {
  const { type, noun, description, fields, build } = definition
  const withType: Fields = { type: { shape: typeShape(type), required: true, fallback: () => type }, ...fields }
  const shape = object(withType, { noun, description })
  return {
    type,
    description,
    fields: withType,
    read(node, path, context) {
      const values = shape.read(node, path, context)
      return values && build(values as FieldValues<F>, node, path, context) // read by those fields, and `type`
    },
  }
}

const typeShape = (type: string): Shape<string> => ({ schema: { const: type }, read: () => type })

/** A map that is read by its `type`. */
export function typedMap<T>(noun: Message, description: string, forms: readonly TypedForm<T>[]): Shape<T> {
  const types = forms.map(({ type }) => type)
  return {
    schema: {
      description,
      anyOf: forms.map((form) => {
        const schema = objectSchema(form.fields, form.description)
        const properties = { ...schema.properties, type: { const: form.type, description: form.description } }
        return { ...schema, properties }
      }),
    },
    read(written, path, context) {
      if (written.kind !== 'map') return reportType(written, path, context, msg('a_map'), msg('has_type_of', { types }))
      const node = entryOf(written, 'type') ? written : readMistyped(written, ['type', ...commonKeys(forms)], ['type'])
      const type = entryOf(node, 'type')?.value
      if (!type) {
        context.report({
          code: 'missing_field',
          message: msg('missing_field', { key: 'type', owner: noun }),
          hint: msg('has_type_of', { types }),
          path,
          at: node.mark,
        })
        return undefined
      }
      const name = type.kind === 'scalar' && typeof type.value === 'string' ? type.value : null
      if (name === null) return reportType(type, joinPath(path, 'type'), context, msg('one_of', { choices: types }))
      const form = forms.find((one) => one.type === name)
      if (form) return form.read(node, path, context)
      const near = nearest(name, types)
      context.report({
        code: 'not_one_of',
        message: msg('not_a_choice', {
          name: msg('named', { name: 'type' }),
          value: shortened(name, 60),
          values: types,
        }),
        hint: near === null ? msg('write_one_of', { values: types }) : msg('did_you_mean', { near }),
        path: joinPath(path, 'type'),
        at: type.mark,
      })
      return undefined
    },
  }
}

const commonKeys = (forms: readonly { fields: Fields }[]): string[] => [
  ...new Set(forms.flatMap(({ fields }) => Object.keys(fields))),
]
