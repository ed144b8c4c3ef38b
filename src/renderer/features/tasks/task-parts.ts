/** Questions about a parsed task that the window asks in several places. */
import { stepKeys } from '../../../language/task/step-keys.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import type { TaskSource } from '../../../language/task/sources/source.types.ts'

const connectorOf = (source: TaskSource) => ('connector' in source ? [source.connector] : [])

/** Whether runs of the task go on where the one before ended. */
export function keepsState(task: TaskDocument | null): boolean {
  if (task?.kind !== 'pipeline') return false
  return task.state.cursor !== null || (task.source.kind === 'files' && task.source.new_only)
}

/** Whether a preview shows rows. Other tasks would do their work. */
export function canPreview(task: TaskDocument): boolean {
  return task.kind === 'pipeline' || (task.kind === 'sql' && task.sql.work.kind === 'create_as')
}

/** Slots that a preview reads. */
export function previewSlots(task: TaskDocument): string[] {
  if (task.kind === 'sql') return [task.sql.connector]
  if (task.kind !== 'pipeline') return []
  return [...new Set([task.source, ...Object.values(task.inputs)].flatMap(connectorOf))]
}

/** The slot of a table that a preview compares its columns with; null: the target is none. */
export function comparedSlot(task: TaskDocument): string | null {
  return task.kind === 'pipeline' && task.target.kind === 'table' ? task.target.connector : null
}

/** All of a task that a preview depends on: of its target the table, not its outputs, its words. */
export function previewKey(task: TaskDocument): string {
  if (task.kind === 'pipeline') {
    const { args, connectors, inputs, source, state, steps, target } = task
    const table = target.kind === 'table' ? target : null
    return JSON.stringify({ args, connectors, inputs, source, state, steps, table })
  }
  return task.kind === 'sql' ? JSON.stringify({ args: task.args, sql: task.sql }) : JSON.stringify(task)
}

/** Names of the stages that a preview of the task has. */
export function stageNames(task: TaskDocument): string[] {
  return task.kind === 'pipeline' ? ['source', ...stepKeys(task.steps)] : [task.kind]
}
