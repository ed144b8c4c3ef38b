import { suggest } from '../nearest.ts'
import { writtenText } from '../yaml/plain-scalar.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { readMistyped } from './mistyped-keys.ts'
import { nameOf, reportType } from './report-value.ts'
import type { Describe, ReadContext, Shape } from './shape.types.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Json } from '../task/task.types.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'

export interface Field<T> {
  shape: Shape<NonNullable<T>>
  required: boolean
  fallback: () => T
  /** The default as the schema shows it. */
  default?: Json
}

export type Fields = Record<string, Field<unknown>>
export type FieldValues<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

export function required<T>(shape: Shape<T>): Field<T> {
  return {
    shape: shape as Shape<NonNullable<T>>, // no shape reads null or undefined
    required: true,
    fallback: () => {
      throw new Error('a required field has no fallback')
    },
  }
}

export function optional<T>(shape: Shape<T>): Field<T | undefined> {
  return { shape: shape as Shape<NonNullable<T>>, required: false, fallback: () => undefined } // as above
}

export function withDefault<T>(shape: Shape<T>, value: NoInfer<T>, shown?: Json): Field<T> {
  return {
    shape: shape as Shape<NonNullable<T>>, // as above
    required: false,
    fallback: () => structuredClone(value),
    default: shown === undefined ? (value as Json) : shown, // defaults are plain data
  }
}

export interface ObjectOptions {
  description: string
  /** What it is called in messages: "the source", "a retry policy". */
  noun: Message
}

export interface ObjectShape<F extends Fields> extends Shape<FieldValues<F>> {
  readonly fields: F
  /** What could be read of it; `complete` when nothing was wrong. */
  readFields(node: YamlNode, path: string, context: ReadContext): { values: Partial<FieldValues<F>>; complete: boolean }
}

export function object<F extends Fields>(fields: F, options: ObjectOptions): ObjectShape<F> {
  const readFields: ObjectShape<F>['readFields'] = (node, path, context) => {
    if (node.kind !== 'map') {
      reportType(node, path, context, msg('a_map'))
      return { values: {}, complete: false }
    }
    const map = readMistyped(node, Object.keys(fields))
    const known = checkKeys(map, path, context, fields, options)
    const values: Record<string, unknown> = {}
    let complete = known
    for (const [key, field] of Object.entries(fields)) {
      const value = readField(map, key, field, path, context, options.noun)
      if (value.ok) values[key] = value.value
      else complete = false
    }
    return { values: values as Partial<FieldValues<F>>, complete } // filled from `fields`, key by key
  }
  return {
    fields,
    schema: objectSchema(fields, options.description),
    readFields,
    read(node, path, context) {
      const { values, complete } = readFields(node, path, context)
      return complete ? (values as FieldValues<F>) : undefined // complete: every field has its value
    },
  }
}

export function objectSchema(fields: Fields, description: string): JsonSchema {
  const requiredKeys = Object.keys(fields).filter((key) => fields[key]?.required)
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [
        key,
        field.default === undefined || field.default === null
          ? field.shape.schema
          : { ...field.shape.schema, default: field.default },
      ]),
    ),
    ...(requiredKeys.length > 0 ? { required: requiredKeys } : {}),
    additionalProperties: false,
  }
}

function readField(
  map: YamlMap,
  key: string,
  field: Field<unknown>,
  path: string,
  context: ReadContext,
  noun: Message,
): { ok: true; value: unknown } | { ok: false } {
  const entry = entryOf(map, key)
  if (entry) {
    const value = field.shape.read(entry.value, joinPath(path, key), context)
    return value === undefined ? { ok: false } : { ok: true, value }
  }
  if (!field.required) return { ok: true, value: field.fallback() }
  const [example] = field.shape.schema.examples ?? []
  context.report({
    code: 'missing_field',
    message: msg('missing_field', { key, owner: noun }),
    hint:
      example !== undefined && typeof example !== 'object'
        ? msg('add_key_such_as', { key, example: writtenText(String(example)) })
        : msg('add_key', { key }),
    path,
    at: map.mark,
  })
  return { ok: false }
}

const MAX_UNKNOWN_KEYS = 50

function checkKeys(map: YamlMap, path: string, context: ReadContext, fields: Fields, options: ObjectOptions): boolean {
  let unknown = 0
  const keys = Object.keys(fields)
  for (const entry of map.entries) {
    const { written = entry.key } = entry
    if (Object.hasOwn(fields, written)) continue
    // Looking for what was meant takes time, and nobody reads hundreds of these.
    if (++unknown > MAX_UNKNOWN_KEYS) break
    context.report({
      code: 'unknown_key',
      message: msg('unknown_key', { key: written, owner: options.noun }),
      hint: written === entry.key ? suggest(written, keys, 'keys') : msg('did_you_mean', { near: entry.key }),
      path: joinPath(path, written),
      at: entry.keySpan,
    })
  }
  return unknown === 0
}

export interface ListOptions extends Describe<Json> {
  min?: number
  max?: number
  /** Equal texts are refused; of column names also those that differ in capitals only. */
  unique?: boolean | 'columns'
}

export function listOf<T>(item: Shape<T>, options: ListOptions): Shape<T[]> {
  const { description, examples, min = 0, max = 1_000, unique = false } = options
  return {
    schema: {
      type: 'array',
      description,
      items: item.schema,
      ...(min > 0 ? { minItems: min } : {}),
      maxItems: max,
      ...(unique ? { uniqueItems: true } : {}),
      ...(examples ? { examples } : {}),
    },
    read(node, path, context) {
      if (node.kind !== 'list') return reportType(node, path, context, msg('a_list'))
      if (!checkCount(node, node.items.length, path, context, { min, max })) return undefined
      const values: T[] = []
      const seen = new Set<unknown>()
      let complete = true
      for (const [index, itemNode] of node.items.entries()) {
        const itemPath = joinPath(path, index)
        const value = item.read(itemNode, itemPath, context)
        const identity = unique === 'columns' && typeof value === 'string' ? value.toLowerCase() : value
        if (value === undefined) complete = false
        else if (unique && seen.has(identity)) {
          complete = false
          reportDuplicate(context, String(value), path, itemPath, itemNode)
        } else {
          values.push(value)
          seen.add(identity)
        }
      }
      return complete ? values : undefined
    },
  }
}

export function reportDuplicate(
  context: ReadContext,
  value: string,
  listPath: string,
  path: string,
  node: YamlNode,
): void {
  context.report({
    code: 'duplicate_item',
    message: msg('listed_twice', { value, name: nameOf(listPath) }),
    hint: msg('remove_one'),
    path,
    at: node.mark,
  })
}

export function checkCount(
  node: YamlNode,
  count: number,
  path: string,
  context: ReadContext,
  { min, max }: { min: number; max: number },
): boolean {
  if (count >= min && count <= max) return true
  const few = count < min
  const key = path.slice(path.lastIndexOf('.') + 1)
  context.report({
    code: 'wrong_length',
    message: msg(few ? 'too_few_entries' : 'too_many_entries', { name: nameOf(path), count, limit: few ? min : max }),
    hint: few
      ? msg(min === 1 ? 'add_one_or_remove_key' : 'add_more_or_remove_key', { key })
      : msg('remove_count', { count: count - max }),
    path,
    at: node.mark,
  })
  return false
}
