import type { ParsedTask } from '../task/parse-task.ts'
import { type ColumnLineage, columnLineage } from './column-lineage.ts'
import { type DatasetUse, datasetUses } from './dataset-uses.ts'
import { sourceDefinition } from '../task/sources/source-registry.ts'
import type { TaskSource } from '../task/sources/source.types.ts'

/** What the text of a task says of where its rows come from and go to. */
export interface TaskLineage {
  uses: DatasetUse[]
  /** null: not known from the text. */
  columns: ColumnLineage | null
}

/** Grows whenever the same text may give something else than before. */
export const lineageEdition = 1

/** Nothing for a text with errors. */
export function taskLineage({ task }: Pick<ParsedTask, 'task'>): TaskLineage {
  if (task === null) return { uses: [], columns: null }
  const uses = datasetUses(task)
  if (task.kind !== 'pipeline') return { uses, columns: null }
  const columnsOf = (source: TaskSource) => sourceDefinition(source.kind).columns(source)
  const inputs = Object.fromEntries(Object.entries(task.inputs).map(([name, input]) => [name, columnsOf(input)]))
  return { uses, columns: columnLineage(task, columnsOf(task.source), inputs) }
}
