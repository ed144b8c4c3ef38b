import { suggest } from '../../nearest.ts'
import { listOf } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { joinPath, type YamlNode } from '../../yaml/yaml-tree.ts'
import type { StepDefinition } from '../definitions.ts'
import type { TaskStep } from './step.types.ts'
import { castStep } from './cast.step.ts'
import { dedupeStep } from './dedupe.step.ts'
import { deriveStep } from './derive.step.ts'
import { dropStep } from './drop.step.ts'
import { expectStep } from './expect.step.ts'
import { explodeStep } from './explode.step.ts'
import { filterStep } from './filter.step.ts'
import { flattenStep } from './flatten.step.ts'
import { lookupStep } from './lookup.step.ts'
import { mapStep } from './map.step.ts'
import { renameStep } from './rename.step.ts'
import { selectStep } from './select.step.ts'
import { sqlStep } from './sql.step.ts'
import { msg } from '../../messages.ts'

/** Every step of this version. A new one is a file beside these and a name here. */
export const steps: readonly StepDefinition[] = [
  selectStep,
  renameStep,
  dropStep,
  castStep,
  filterStep,
  deriveStep,
  mapStep,
  flattenStep,
  explodeStep,
  lookupStep,
  dedupeStep,
  sqlStep,
  expectStep,
]
const keys = steps.map((step) => step.kind)

export function stepDefinition(kind: string): StepDefinition {
  const definition = steps.find((step) => step.kind === kind)
  if (!definition) throw new Error(`no step of kind ${kind}`)
  return definition
}

const stepShape: Shape<TaskStep> = {
  schema: {
    type: 'object',
    description: 'One step: exactly one key.',
    properties: Object.fromEntries(steps.map((step) => [step.kind, step.shape.schema])),
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  },
  read(node, path, context) {
    if (node.kind !== 'map')
      return reportType(node, path, context, msg('a_map_with_one_key'), msg('write_step_key', { keys }))
    const [entry, second] = node.entries
    if (!entry) return reportEmpty(node, path, context)
    if (second) {
      context.report({
        code: 'step_several_keys',
        message: msg('step_several_keys', { first: entry.key, second: second.key }),
        hint: msg('start_new_step', { key: second.key }),
        path: joinPath(path, second.key),
        at: second.keySpan,
      })
      return undefined
    }
    const definition = steps.find((step) => step.kind === entry.key)
    const stepPath = joinPath(path, entry.key)
    if (definition) return definition.shape.read(entry.value, stepPath, context)
    context.report({
      code: 'unknown_key',
      message: msg('unknown_step', { key: entry.key }),
      hint: suggest(entry.key, keys, 'steps'),
      path: stepPath,
      at: entry.keySpan,
    })
    return undefined
  },
}

function reportEmpty(node: YamlNode, path: string, context: ReadContext): undefined {
  context.report({
    code: 'step_empty',
    message: msg('step_empty'),
    hint: msg('write_step', { keys }),
    path,
    at: node.mark,
  })
  return undefined
}

export const stepsShape = listOf(stepShape, {
  description: 'What happens to the rows between source and target. Steps run in order.',
  max: 200,
  examples: [[{ filter: 'total > 0' }, { select: ['id', 'total'] }]],
})
