import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { listFiles, nothingFound } from '../connectors/stores/paths.ts'
import { cuttable, foldersOf, sampleBytes } from '../connectors/stores/resources.ts'
import { withFileStore } from '../connectors/stores/stores.ts'
import type { FileStore, OpenedFile, StoredFile } from '../connectors/stores/store.types.ts'
import { EngineError } from '../engine/errors.ts'
import { fileMoved } from '../engine/open-file.ts'
import type { OpenOptions, SourceRunner, StageContext } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { openFiles } from './files-read.ts'
import { newFiles, remember } from './files-state.ts'
import { emptyStream } from './files-empty.ts'
import { runMessage } from '../../contract/run-messages.ts'

export const filesSource: SourceRunner<'files'> = {
  kind: 'files',
  directories: (source, connector) => foldersOf(connector(source.connector)),
  async open(source, context, options) {
    refuseQuarantine(source)
    const connector = context.connector(source.connector)
    const opened = withFileStore(connector, context, async (store) => {
      const all = await listFiles(store, source.glob)
      if (source.new_only) return openNew(source, all, store, context, options)
      if (all.length === 0) throw await nothingFound(store, source.glob)
      logFiles(all, context, '')
      return openFiles(source, await fetchWanted(source, all, store, options), context, options)
    })
    return opened.catch((error: NodeJS.ErrnoException) => {
      // Files and folders may be moved at any moment of their reading.
      throw error.code === 'ENOENT' || error.code === 'ENOTDIR' ? fileMoved(error.path ?? source.glob, error) : error
    })
  },
}

async function openNew(
  source: FilesSource,
  all: StoredFile[],
  store: FileStore,
  context: StageContext,
  options: OpenOptions,
): Promise<RowStream> {
  const fresh = newFiles(all, context.state)
  if (fresh.length === 0) {
    const known = all.length === 0 ? 'no file matches' : `${count(all.length)} known`
    context.log('info', `No new file (${known})`)
    await remember([], all, source.glob, store, context)
    return { ...(await emptyStream(source, all, store, context)), nothingNew: true }
  }
  logFiles(fresh, context, all.length === fresh.length ? '' : `; ${count(all.length - fresh.length)} known`)
  const opened = await fetchWanted(source, fresh, store, options)
  await remember(
    opened.map(({ file }) => file),
    all,
    source.glob,
    store,
    context,
  )
  return openFiles(source, opened, context, options)
}

/** A preview needs the beginning of the first files only, as far as a format lets that be read by itself. */
function fetchWanted(
  source: FilesSource,
  files: StoredFile[],
  store: FileStore,
  { limit }: OpenOptions,
): Promise<OpenedFile[]> {
  if (limit === null || store.connector.type === 'file') return store.open(files, null)
  return store.open(files.slice(0, previewedFiles), cuttable(source) ? sampleBytes : null)
}

const previewedFiles = 20

function logFiles(files: StoredFile[], context: StageContext, more: string): void {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const first = files[0]?.path
  const named = files.length === 1 ? `${first}` : `${count(files.length)} files, first ${first}`
  context.log('info', `Reading ${named} (${count(bytes)} bytes)${more}`)
}

function count(number: number): string {
  return number.toLocaleString('en')
}

function refuseQuarantine(source: FilesSource): void {
  if (source.on_error !== 'quarantine' || ['csv', 'jsonl', 'xlsx'].includes(source.format)) return
  throw new EngineError('TASK_INVALID', runMessage('quarantine_not_for_format', { format: source.format }), {
    hint: runMessage('quarantine_not_for_format_fix'),
  })
}
