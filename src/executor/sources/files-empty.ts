import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { cuttable, sampleBytes } from '../connectors/stores/resources.ts'
import type { FileStore, StoredFile } from '../connectors/stores/store.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { untypedStream, type RowStream } from '../engine/stream.ts'
import { noRows, openFiles } from './files-read.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** No rows, with the columns that a file would have: those of the newest one there is, else those that the task declares. */
export async function emptyStream(
  source: FilesSource,
  known: readonly StoredFile[],
  store: FileStore,
  context: StageContext,
): Promise<RowStream> {
  // Names sort as dates do where names are dates; the time of a change is not the same kind of thing on every store.
  const newest = known.at(-1)
  if (newest) {
    const opened = await store.open([newest], cuttable(source) ? sampleBytes : null)
    // What that file rejects was told by the run that has taken it.
    const quiet = {
      ...context,
      tellsChanges: false,
      rejectEntries: async () => undefined,
      reject: async () => 0,
      warn: () => undefined,
    }
    const { columns } = await openFiles({ ...source, on_error: 'fail' }, opened, quiet, { limit: 1 })
    return untypedStream(columns)
  }
  if (Object.keys(source.columns).length > 0) return noRows(source)
  throw new EngineError(
    'FILE_NOT_FOUND',
    runMessage('no_file_no_columns', { glob: source.glob, place: store.place, connector: store.connector.name }),
    { hint: runMessage('no_file_no_columns_fix') },
  )
}
