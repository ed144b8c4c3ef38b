import { joinPath, type YamlNode } from '../yaml/yaml-tree.ts'
import { checkTemplate } from './check-template.ts'
import { checkExact, warnAmbiguous } from './report-value.ts'
import { refuseTemplate } from './scalars.ts'
import type { Json } from '../task/task.types.ts'
import type { Describe, ReadContext, Shape } from './shape.types.ts'

/** Any JSON value. */
export function jsonValue(options: Describe<Json> & { template: boolean }): Shape<Json> {
  const { description, examples, template } = options
  return {
    schema: { description, ...(examples ? { examples } : {}), ...(template ? { 'x-template': true } : {}) },
    read: (node, path, context) => readJson(node, path, context, template),
  }
}

export function readJson(node: YamlNode, path: string, context: ReadContext, template: boolean): Json | undefined {
  if (node.kind === 'scalar') {
    if (!checkExact(node, path, context)) return undefined
    warnAmbiguous(node, path, context)
    if (typeof node.value !== 'string') return node.value
    const usable = template ? checkTemplate(node, node.value, path, context) : refuseTemplate(node, path, context)
    return usable ? node.value : undefined
  }
  let complete = true
  if (node.kind === 'list') {
    const items: Json[] = []
    for (const [index, item] of node.items.entries()) {
      const value = readJson(item, joinPath(path, index), context, template)
      if (value === undefined) complete = false
      else items.push(value)
    }
    return complete ? items : undefined
  }
  const fields: Record<string, Json> = {}
  for (const entry of node.entries) {
    const value = readJson(entry.value, joinPath(path, entry.key), context, template)
    if (value === undefined) complete = false
    else fields[entry.key] = value
  }
  return complete ? fields : undefined
}
