import { checkPipeline, normalizePipeline, pipelineShape, type PipelineValues } from '../pipeline.ts'
import { joinPath } from '../../yaml/yaml-tree.ts'
import { sourceDefinition } from '../sources/source-registry.ts'
import { stepDefinition } from '../steps/step-registry.ts'
import { targetDefinition } from '../targets/target-registry.ts'
import type { PipelineTask } from './task-document.types.ts'
import { defineKind } from './kind.types.ts'

export const pipelineKind = defineKind<PipelineTask>({
  kind: 'pipeline',
  shape: pipelineShape,
  results: {
    run: {
      description: 'The run and its results.',
      fields: {
        item_count: 'Rows committed.',
        read_count: 'Rows read.',
        rejected_count: 'Rows rejected.',
        duration_ms: 'Duration in milliseconds.',
      },
    },
  },
  read(root, context) {
    const { values, complete } = pipelineShape.readFields(root, '', context)
    checkPipeline(values, root, context)
    return complete ? normalizePipeline(values as PipelineValues) : null // complete: every field has its value
  },
  // `state.initial` is evaluated beforehand, for it gives the source's `state.cursor`.
  resolve: (task, resolver) => ({
    ...task,
    source: sourceDefinition(task.source.kind).resolve(task.source, resolver, 'source'),
    inputs: Object.fromEntries(
      Object.entries(task.inputs).map(([name, input]) => [
        name,
        sourceDefinition(input.kind).resolve(input, resolver, joinPath('inputs', name)),
      ]),
    ),
    steps: task.steps.map((step, index) => stepDefinition(step.kind).resolve(step, resolver, joinPath('steps', index))),
    target: targetDefinition(task.target.kind).resolve(task.target, resolver, 'target'),
  }),
})
