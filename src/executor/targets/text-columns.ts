import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { passedColumns, type PassedColumns } from '../../language/lineage/passed-columns.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { FilesSource, TaskSource } from '../../language/task/sources/source.types.ts'
import { codeOf } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { isDatabase, lookers } from './look.ts'

export interface TextColumns {
  source: TaskSource
  /** Warns of columns that go into columns of text, but have the form that their detected type gives them. */
  tell(stream: RowStream, context: StageContext): void
}

/**
 * The source as it is to be read into the table that is there: what only goes into its columns of text is not given a type, and so arrives
 * as the file has it.
 */
export async function withTextColumns(
  task: PipelineTask,
  connector: BoundConnector | undefined,
  context: StageContext,
): Promise<TextColumns> {
  const { source } = task
  if (source.kind !== 'files' || !detectsTypes(source)) return { source, tell: () => undefined }
  const { passed, looked } = await columnsInto(task, connector, context)
  return {
    source: passed.size === 0 ? source : { ...source, asText: passed },
    tell({ columns }, { note }) {
      const declared = new Set(Object.keys(source.columns).map((column) => column.toLowerCase()))
      for (const { name, type } of columns) {
        const column = name.toLowerCase()
        if (looked.has(column) && !declared.has(column) && isRewritten(type, source))
          note(runMessage('text_of_detected_type', { column: name, type }))
      }
    },
  }
}

/** Types that may give texts another form: `1e3` is 1000.0. A date in JSON is only detected in the form that it is written in. */
function isRewritten(type: string, { format }: FilesSource): boolean {
  return /^(DOUBLE|DECIMAL|TIME)/.test(type) || (type === 'DATE' && format === 'csv')
}

/** Of texts; the cells of other formats have types of their own. */
function detectsTypes({ format }: FilesSource): boolean {
  return format === 'csv' || format === 'json' || format === 'jsonl'
}

async function columnsInto(
  task: PipelineTask,
  connector: BoundConnector | undefined,
  context: StageContext,
): Promise<PassedColumns> {
  const { target } = task
  const none: PassedColumns = { passed: new Set(), looked: new Set() }
  if (target.kind !== 'table' || !connector || !isDatabase(connector.type)) return none
  const { type } = connector
  try {
    const { columns } = await lookers[type](target, connector, [], context)
    return passedColumns(
      task,
      columns.map(({ name, kind, type: declared }) => ({
        name,
        text: kind === 'text' && (type !== 'duckdb' || declared === 'VARCHAR'),
      })),
    )
  } catch (error) {
    // Its file is made by the run.
    if (codeOf(error) === 'DATABASE_NOT_FOUND') return none
    throw error
  }
}
