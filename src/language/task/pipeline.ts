import { object, optional, required, withDefault } from '../shape/collections.ts'
import { number } from '../shape/scalars.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { entryOf, joinPath, type Span, type YamlEntry, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { expectColumn } from './column-flow.ts'
import { commonFields, normalizeBase } from './common-fields.ts'
import type { FlowReport, KnownColumns } from './definitions.ts'
import { inputsShape, inputsUsedBy } from './inputs.ts'
import { sourceDefinition, sourceShape } from './sources/source-registry.ts'
import { stepDefinition, stepsShape } from './steps/step-registry.ts'
import { targetDefinition, targetShape } from './targets/target-registry.ts'
import { stateScope, stateShape } from './task-state.ts'
import type { PipelineTask } from './kinds/task-document.types.ts'
import type { TaskSource } from './sources/source.types.ts'
import { msg } from '../messages.ts'

const deadLetter = object(
  {
    max_ratio: withDefault(
      number({
        description: 'The run fails if more than this share of the rows read is rejected; 0 allows none, 1 allows all.',
        min: 0,
        max: 1,
        examples: [0.01],
      }),
      1,
    ),
  },
  { noun: msg('named', { name: 'dead_letter' }), description: 'How many rows can be rejected.' },
)

/** Where a cursor is declared, the source may refer to it. */
const sourceWithState: Shape<TaskSource> = {
  schema: sourceShape.schema,
  read: (node, path, context) =>
    sourceShape.read(
      node,
      path,
      context.hasCursor ? { ...context, scope: { ...context.scope, ...stateScope } } : context,
    ),
}

/** The document of `kind: pipeline`. */
export const pipelineShape = object(
  {
    ...commonFields('pipeline'),
    state: optional(stateShape),
    source: required(sourceWithState),
    inputs: withDefault(inputsShape, {}, null),
    steps: withDefault(stepsShape, []),
    target: required(targetShape),
    dead_letter: optional(deadLetter),
  },
  { noun: msg('a_pipeline'), description: 'A task that moves rows from a source, through steps, into a target.' },
)

export type PipelineValues = NonNullable<ReturnType<typeof pipelineShape.read>>

export function normalizePipeline(values: PipelineValues): PipelineTask {
  const { state, source, inputs, steps, target, dead_letter } = values
  return {
    ...normalizeBase(values),
    kind: 'pipeline',
    state: { cursor: state?.cursor ?? null },
    source,
    inputs,
    steps,
    target,
    dead_letter: dead_letter ?? { max_ratio: 1 },
  }
}

/** What only shows when several parts are known. */
export function checkPipeline(values: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  checkColumns(values, root, context)
  warnUnusedInputs(values, root, context)
  warnUnusedCursor(values, root, context)
  warnNewFilesReplace(values, root, context)
  warnCursorTarget(values, root, context)
}

/** Follows the columns from source to target, as far as they are known without running, and reports those that are missing. */
function checkColumns(values: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  const { state, source, steps, target } = values
  let columns: KnownColumns = source ? columnsOf(source) : null
  const inputs = Object.fromEntries(
    Object.entries(values.inputs ?? {}).map(([name, input]) => [name, columnsOf(input)]),
  )
  const stateNode = entryOf(root, 'state')?.value
  if (state?.cursor && stateNode)
    expectColumn(state.cursor.field, columns, [['cursor', 'field']], reportAt(stateNode, 'state', context))
  const stepsNode = entryOf(root, 'steps')?.value
  // A step that could not be read leaves a hole about which nothing is known.
  if (!steps || (stepsNode?.kind === 'list' && stepsNode.items.length !== steps.length)) return
  for (const [index, step] of steps.entries()) {
    const node = stepsNode?.kind === 'list' ? stepsNode.items[index] : undefined
    if (!node) continue
    const report = reportAt(node, joinPath('steps', index), context)
    columns = stepDefinition(step.kind).flow(step, columns, report, inputs)
  }
  const targetNode = entryOf(root, 'target')?.value
  if (!target || !targetNode) return
  for (const need of targetDefinition(target.kind).needs(target)) {
    expectColumn(need.column, columns, [need.segments], reportAt(targetNode, 'target', context))
  }
}

function columnsOf(source: TaskSource): KnownColumns {
  return sourceDefinition(source.kind).columns(source)
}

function warnUnusedInputs({ inputs, steps }: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  const node = entryOf(root, 'inputs')?.value
  if (!inputs || !steps || node?.kind !== 'map') return
  const names = Object.keys(inputs)
  const used = new Set(steps.flatMap((step) => inputsUsedBy(step, names)))
  for (const name of names) {
    const entry = entryOf(node, name)
    if (used.has(name) || !entry) continue
    context.report({
      code: 'unused_input',
      message: msg('unused_input', { name }),
      hint: msg('remove_or_use_input'),
      path: joinPath('inputs', name),
      at: entry.keySpan,
    })
  }
}

/** A table is filtered by its cursor without further ado; elsewhere the author has to put it somewhere. */
function warnUnusedCursor({ state, source }: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  if (!state?.cursor || !source || context.used.state) return
  if (source.kind === 'sql' && source.read.kind === 'table') return
  const node = entryOf(root, 'state')?.value
  const entry = node?.kind === 'map' ? entryOf(node, 'cursor') : undefined
  if (!entry) return
  context.report({
    code: 'unused_cursor',
    message: msg('unused_cursor'),
    hint: source.kind === 'sql' ? msg('use_cursor_in_query') : msg('use_cursor_in_source'),
    path: 'state.cursor',
    at: entry.keySpan,
  })
}

/** With `new_only` a run sees a part of the rows: a target that is replaced then holds that part alone. */
function warnNewFilesReplace({ source, target }: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  if (source?.kind !== 'files' || !source.new_only || !target || target.kind === 'http') return
  if (target.mode !== 'replace') return
  if (target.kind === 'file' && target.path.includes('${{')) return
  const node = entryOf(root, 'target')?.value
  const mode = node?.kind === 'map' ? entryOf(node, 'mode') : undefined
  if (!node) return
  context.report({
    code: 'new_files_replace',
    message: msg('new_files_replace'),
    hint: target.kind === 'file' ? msg('file_per_run_or_all_files') : msg('append_or_all_files'),
    path: mode ? 'target.mode' : 'target',
    at: mode ? mode.value.mark : node.mark,
  })
}

/** A cursor reads a part of what there is, and its last rows again. */
function warnCursorTarget({ state, target }: Partial<PipelineValues>, root: YamlMap, context: ReadContext): void {
  if (!state?.cursor || !target || target.kind === 'http') return
  if (target.mode !== 'append' && target.mode !== 'replace') return
  if (target.kind === 'file' && target.path.includes('${{')) return
  const entry = entryOf(root, 'target')
  const mode = entry?.value.kind === 'map' ? entryOf(entry.value, 'mode') : undefined
  const appends = target.mode === 'append'
  context.report({
    code: appends ? 'cursor_with_append' : 'cursor_with_replace',
    message: appends ? msg('cursor_with_append') : msg('cursor_with_replace'),
    hint: target.kind === 'file' ? msg('file_per_run_or_no_cursor') : msg('use_upsert'),
    path: mode ? 'target.mode' : 'target',
    at: mode?.value.mark ?? entry?.keySpan ?? root.mark,
  })
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
