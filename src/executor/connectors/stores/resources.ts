import type { ResourceDetail, ResourceSummary } from '../../../contract/connectors.ts'
import type { FileList } from '../../../contract/executor-calls.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'
import type { CsvEncoding, FilesSource } from '../../../language/task/sources/source.types.ts'
import { openSession } from '../../engine/duckdb.ts'
import { detachedContext } from '../../engine/detached-context.ts'
import { EngineError } from '../../engine/errors.ts'
import { reachOf } from '../../engine/protected.ts'
import { openFiles } from '../../sources/files-read.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { mostResources, sampleRows, type ConnectorRunner } from '../connector.types.ts'
import { filePattern } from './glob.ts'
import { fileToRead, folderOf } from './paths.ts'
import { openFileStore, withFileStore } from './stores.ts'
import type { StoreIo } from './store.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** So much of a file from afar is enough for a sample. */
export const sampleBytes = 4 * 1024 * 1024

const storeIo = ({ signal, tempDir }: CallIo): StoreIo => ({ signal, tempDir, log: () => undefined })

/** Files of a known format: the same questions and answers for every store. */
export const fileResources: Pick<ConnectorRunner, 'listResources' | 'getResource'> = {
  listResources: (connector, q, io) =>
    withFileStore(connector, storeIo(io), async (store) => {
      const resources: ResourceSummary[] = []
      const wanted = (q ?? '').toLowerCase()
      for await (const { path, size } of store.list(filePattern('**/*'), { lenient: true })) {
        if (formatOfPath(path).format === null || !path.toLowerCase().includes(wanted)) continue
        if (resources.length === mostResources) return { resources: sorted(resources), truncated: true }
        resources.push({ name: path, kind: 'file', row_estimate: null, bytes: size })
      }
      return { resources: sorted(resources), truncated: false }
    }),
  async getResource(connector, name, io) {
    const store = await openFileStore(connector, storeIo(io))
    try {
      const file = await fileToRead(store, name)
      const source = sourceOf(name)
      if (source === null) {
        throw new EngineError('FILE_NOT_FOUND', runMessage('file_format_unknown', { name }), {
          hint: runMessage('file_format_unknown_fix'),
        })
      }
      const opened = await store.open([file], cuttable(source) ? sampleBytes : null)
      const session = await openSession({
        tempDir: io.tempDir,
        directories: await foldersOf(connector),
        signal: io.signal,
      })
      try {
        const stream = await openFiles(
          source,
          opened,
          detachedContext(session, () => connector, io),
          {
            limit: sampleRows,
          },
        )
        const rows = await session.shownRows(`SELECT * FROM (${stream.sql}) LIMIT ${sampleRows}`)
        return detail(name, file.size, stream.columns, rows)
      } finally {
        await session.close(true)
      }
    } finally {
      await store.close()
    }
  },
}

/** Files of any format that match a pattern, up to `limit`, by path. */
export const listFiles = (connector: BoundConnector, glob: string, limit: number, io: CallIo): Promise<FileList> =>
  withFileStore(connector, storeIo(io), async (store) => {
    const files: FileList['files'] = []
    let truncated = false
    for await (const { path, size, version, modified_at } of store.list(filePattern(glob))) {
      if ((truncated = files.length === limit)) break
      files.push({ path, size, version, modified_at })
    }
    return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), truncated }
  })

/** What of this machine the session must reach. */
export async function foldersOf(connector: BoundConnector): Promise<string[]> {
  return connector.type === 'file' ? reachOf(await folderOf(connector)) : []
}

/** Whether the beginning of a file can be read without its end. */
export function cuttable({ format, glob, csv }: FilesSource): boolean {
  if (formatOfPath(glob).compression !== 'none') return false
  return format === 'jsonl' || (format === 'csv' && csv?.encoding !== 'utf-16')
}

function sorted(resources: ResourceSummary[]): ResourceSummary[] {
  return resources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** How files are read of which nothing is known but the path. null: the format is not known either. */
export function sourceOf(
  path: string,
  {
    sheet = null,
    union_by_name = false,
    encoding = 'utf-8',
  }: { sheet?: string | null; union_by_name?: boolean; encoding?: CsvEncoding } = {},
): FilesSource | null {
  const { format, delimiter } = formatOfPath(path)
  if (format === null) return null
  const csv = {
    delimiter,
    header: true,
    quote: '"',
    escape: '"',
    null_values: [''],
    quoted_nulls: false,
    skip_lines: 0,
  }
  return {
    kind: 'files',
    connector: '',
    glob: path,
    format,
    union_by_name,
    columns: {},
    csv: format === 'csv' ? { ...csv, encoding } : null,
    xlsx: format === 'xlsx' ? { sheet, header: true, skip_rows: 0, merged_cells: 'first' } : null,
    new_only: false,
    no_new_files: 'keep',
    records: null,
    on_error: 'fail',
  }
}

function detail(
  name: string,
  bytes: number,
  columns: { name: string; type: string }[],
  rows: unknown[][],
): ResourceDetail {
  return {
    name,
    kind: 'file',
    row_estimate: null,
    bytes,
    columns: columns.map((column) => ({ ...column, nullable: null, primary_key: false, default: null })),
    indexes: [],
    sample: { columns: columns.map((column) => ({ ...column })), rows },
  }
}
