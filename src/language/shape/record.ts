import { joinPath, type YamlEntry, type YamlNode } from '../yaml/yaml-tree.ts'
import type { Json } from '../task/task.types.ts'
import { checkCount } from './collections.ts'
import type { JsonSchema } from './json-schema.ts'
import { reportType } from './report-value.ts'
import type { Describe, ReadContext, Shape } from './shape.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

export interface RecordOptions extends Describe<Json> {
  min?: number
  max?: number
  /** Which keys are allowed, and what to say about others. Column names are free. */
  key?: { pattern: RegExp; wanted: Message; complete?: JsonSchema['x-complete'] }
  /** In which each value is read; by default as the map itself. */
  contextOf?: (context: ReadContext, entry: YamlEntry) => ReadContext
}

/** Longest key that is quoted whole. */
const MOST_QUOTED = 60

/** A map whose keys are the author's own names. What is right in it is kept; `read` fails on the first thing that is not. */
export function record<T>(
  value: Shape<T>,
  options: RecordOptions,
): Shape<Record<string, T>> & {
  readValid(node: YamlNode, path: string, context: ReadContext): { values: Record<string, T>; complete: boolean }
} {
  const { description, examples, min = 0, max = 1_000, key, contextOf = (context) => context } = options
  const readValid = (node: YamlNode, path: string, context: ReadContext) => {
    const values: Record<string, T> = {}
    if (node.kind !== 'map') {
      reportType(node, path, context, msg('a_map'))
      return { values, complete: false }
    }
    if (!checkCount(node, node.entries.length, path, context, { min, max })) return { values, complete: false }
    let complete = true
    for (const entry of node.entries) {
      const entryPath = joinPath(path, entry.key)
      if (key && !key.pattern.test(entry.key)) {
        complete = false
        context.report({
          code: 'invalid_value',
          message: msg('not_a_name', { key: entry.key.slice(0, MOST_QUOTED), wanted: key.wanted }),
          hint: msg('choose_other_name'),
          path: entryPath,
          at: entry.keySpan,
        })
      }
      const read = value.read(entry.value, entryPath, contextOf(context, entry))
      if (read === undefined) complete = false
      else values[entry.key] = read
    }
    return { values, complete }
  }
  return {
    schema: {
      type: 'object',
      description,
      additionalProperties: value.schema,
      ...(key
        ? { propertyNames: { pattern: key.pattern.source, ...(key.complete ? { 'x-complete': key.complete } : {}) } }
        : {}),
      ...(min > 0 ? { minProperties: min } : {}),
      maxProperties: max,
      ...(examples ? { examples } : {}),
    },
    readValid,
    read(node, path, context) {
      const { values, complete } = readValid(node, path, context)
      return complete ? values : undefined
    },
  }
}
