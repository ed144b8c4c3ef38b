import { suggest } from '../nearest.ts'
import { nameText } from '../shape/scalars.ts'
import { reportType } from '../shape/report-value.ts'
import type { JsonSchema } from '../shape/json-schema.ts'
import type { Describe, Shape } from '../shape/shape.types.ts'
import { msg } from '../messages.ts'

/** A name of something outside of the text, which `checkCatalogue` looks up. */
export function knownName(options: Describe<string>, complete: JsonSchema['x-complete']): Shape<string> {
  const shape = nameText(options)
  return { schema: { ...shape.schema, 'x-complete': complete }, read: shape.read.bind(shape) }
}

/** The key of another task or gate. */
export const taskKey: Shape<string> = {
  schema: { type: 'string', description: 'Key of a task or gate.', 'x-complete': 'task-key' },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string')
      return reportType(node, path, context, msg('text_task_key'))
    const key = node.value
    const { job } = context
    if (!job || (job.graph.has(key) && key !== job.key)) return key
    const itself = key === job.key
    context.report({
      code: itself ? 'dependency_cycle' : 'unknown_task_key',
      message: itself ? msg('depends_on_itself', { key }) : msg('no_task_or_gate', { key: key.slice(0, 60) }),
      hint: itself ? msg('remove_from_depends_on') : job.suggest(key, job.graph.keys, 'keys'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

/** The name of a connector of the template. Which types and access it must have is the slot's to say. */
export const connectorName: Shape<string> = {
  schema: { type: 'string', description: "Name of one of the template's `connectors`.", 'x-complete': 'connector' },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string')
      return reportType(node, path, context, msg('text_connector_name'))
    const name = node.value
    if (context.slots.has(name)) {
      context.used.slots.add(name)
      return name
    }
    const names = [...context.slots.keys()]
    context.report({
      code: 'unknown_connector',
      message: msg('unknown_connector', { name: name.slice(0, 60) }),
      hint:
        names.length === 0 ? msg('declare_connector') : (context.job?.suggest ?? suggest)(name, names, 'connectors'),
      path,
      at: node.mark,
    })
    return undefined
  },
}
