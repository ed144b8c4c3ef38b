import { object, optional, required, withDefault } from '../shape/collections.ts'
import { number } from '../shape/scalars.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import { entryOf, joinPath, type Span, type YamlEntry, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { expectColumn } from './column-flow.ts'
import { commonFields } from './common-fields.ts'
import type { FlowReport, KnownColumns } from './definitions.ts'
import { sourceDefinition, sourceShape } from './sources/source-registry.ts'
import { stepDefinition, stepsShape } from './steps/step-registry.ts'
import { targetDefinition, targetShape } from './targets/target-registry.ts'
import type { PipelineTask } from './task.types.ts'

const deadLetter = object(
  {
    max_ratio: withDefault(
      number({
        description: 'The run fails once more than this share of the rows read is rejected; 0 allows none, 1 all.',
        min: 0,
        max: 1,
        examples: [0.01],
      }),
      1,
    ),
  },
  { noun: '`dead_letter`', description: "How many rows may go to the run's rejects." },
)

/** The document of `kind: pipeline`. */
export const pipelineShape = object(
  {
    ...commonFields,
    source: required(sourceShape),
    steps: withDefault(stepsShape, []),
    target: required(targetShape),
    dead_letter: optional(deadLetter),
  },
  {
    noun: 'a pipeline',
    description: 'A task: rows from a source, through steps, into a target.',
    planned: ['state', 'inputs', 'hooks'],
  },
)

export type PipelineValues = NonNullable<ReturnType<typeof pipelineShape.read>>

export function normalizePipeline(values: PipelineValues): PipelineTask {
  const { retries, timeout, dead_letter, description, ...rest } = values
  return {
    ...rest,
    description: description?.trim() ?? null,
    dead_letter: dead_letter ?? { max_ratio: 1 },
    retries: retries
      ? { max: retries.max, delay_ms: retries.delay, backoff: retries.backoff }
      : { max: 0, delay_ms: 10_000, backoff: 2 },
    timeout_ms: timeout ?? null,
  }
}

/** Follows the columns from source to target, as far as they are known without running, and reports those that are missing. */
export function checkColumns(values: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  const { source, steps, target } = values
  let columns: KnownColumns = source ? sourceDefinition(source.kind).columns(source) : null
  const stepsNode = entryOf(root, 'steps')?.value
  // A step that could not be read leaves a hole about which nothing is known.
  if (!steps || (stepsNode?.kind === 'list' && stepsNode.items.length !== steps.length)) return
  for (const [index, step] of steps.entries()) {
    const node = stepsNode?.kind === 'list' ? stepsNode.items[index] : undefined
    if (node) columns = stepDefinition(step.kind).flow(step, columns, reportAt(node, joinPath('steps', index), context))
  }
  const targetNode = entryOf(root, 'target')?.value
  if (!target || !targetNode) return
  for (const need of targetDefinition(target.kind).needs(target)) {
    expectColumn(need.column, columns, [need.segments], reportAt(targetNode, 'target', context))
  }
}

function reportAt(node: YamlNode, path: string, context: ReadContext): FlowReport {
  return ({ candidates, ...finding }) => {
    for (const segments of candidates) {
      const found = locate(node, segments, path)
      if (!found) continue
      context.report({ ...finding, ...found })
      return
    }
    context.report({ ...finding, path, at: node.mark })
  }
}

/** A key's own place for maps (that is where the name stands), an item's for lists. */
function locate(
  root: YamlNode,
  segments: readonly (string | number)[],
  start: string,
): { path: string; at: Span } | null {
  let node: YamlNode | undefined = root
  let path = start
  let at: Span = root.mark
  for (const [index, segment] of segments.entries()) {
    if (typeof segment === 'number') {
      if (node?.kind !== 'list') return null
      node = node.items[segment]
      if (!node) return null
      at = node.mark
    } else {
      const entry: YamlEntry | undefined = node?.kind === 'map' ? entryOf(node, segment) : undefined
      if (!entry) return null
      node = entry.value
      // The last key is marked itself, unless it only leads to a single name.
      at =
        index === segments.length - 1 && (segment === 'not_null' || segment === 'unique')
          ? entry.value.mark
          : entry.keySpan
    }
    path = joinPath(path, segment)
  }
  return { path, at }
}
