import { constants } from 'node:fs'
import { access, glob, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { ResourceDetail, ResourceSummary } from '../../contract/connectors.ts'
import { formatOfPath } from '../../language/task/file-paths.ts'
import type { FilesSource } from '../../language/task/task.types.ts'
import { openSession } from '../engine/duckdb.ts'
import { EngineError, codeOf, messageOf } from '../engine/errors.ts'
import { detachedContext } from '../engine/detached-context.ts'
import { openFiles } from '../sources/files.ts'
import { runChecks } from './checks.ts'
import { mostResources, sampleRows, type ConnectorRunner } from './connector.types.ts'
import { fileToRead, folderOf } from './file-paths.ts'

export const fileConnector: ConnectorRunner = {
  type: 'file',
  async test(connector) {
    let folder = ''
    let files: string[] = []
    return runChecks([
      { name: 'resolve', run: async () => (folder = await folderOf(connector)) },
      { name: 'list', run: async () => (files = await friendly(() => readdir(folder), `${folder} cannot be listed`)) },
      { name: 'read_probe', run: () => readProbe(folder, files) },
      { name: 'write_probe', run: () => friendly(() => writeProbe(folder), `${folder} cannot be written`) },
    ])
  },
  async listResources(connector, q) {
    const folder = await folderOf(connector)
    const resources: ResourceSummary[] = []
    const wanted = (q ?? '').toLowerCase()
    for await (const path of glob('**/*', {
      cwd: folder,
      exclude: (name) => name.split(sep).some((part) => part.startsWith('.')),
    })) {
      const named = path.split(sep).join('/')
      if (readFormat(named) === null || !named.toLowerCase().includes(wanted)) continue
      const found = await stat(join(folder, path)).catch(() => null) // removed meanwhile, or a link that leads nowhere
      if (!found?.isFile()) continue
      if (resources.length === mostResources) return { resources: sorted(resources), truncated: true }
      resources.push({ name: named, kind: 'file', row_estimate: null, bytes: found.size })
    }
    return { resources: sorted(resources), truncated: false }
  },
  async getResource(connector, name, io) {
    const folder = await folderOf(connector)
    const file = await fileToRead(folder, name, connector)
    const format = readFormat(name)
    if (format === null) {
      throw new EngineError('FILE_NOT_FOUND', `${name} is no file of a known format`, {
        hint: 'Known are CSV, JSON Lines, JSON and Parquet.',
      })
    }
    const session = await openSession({ tempDir: io.tempDir, directories: [folder], signal: io.signal })
    try {
      const stream = await openFiles(
        sourceFor(name, format),
        [file],
        detachedContext(session, () => connector, io),
        { limit: sampleRows },
      )
      const rows = await session.rows(`SELECT * FROM (${stream.sql}) LIMIT ${sampleRows}`)
      return detail(name, (await stat(file)).size, stream.columns, rows)
    } finally {
      await session.close(true)
    }
  },
}

interface Format {
  format: FilesSource['format']
  delimiter: string
}

function readFormat(path: string): Format | null {
  const { format, delimiter } = formatOfPath(path)
  return format === null ? null : { format, delimiter }
}

function sorted(resources: ResourceSummary[]): ResourceSummary[] {
  return resources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function sourceFor(path: string, { format, delimiter }: Format): FilesSource {
  const csv = { delimiter, header: true, quote: '"', escape: '"', null_values: [], skip_lines: 0 }
  return {
    kind: 'files',
    connector: '',
    glob: path,
    format,
    union_by_name: false,
    columns: {},
    csv: format === 'csv' ? { ...csv, encoding: 'utf-8' } : null,
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

async function friendly<T>(work: () => Promise<T>, what: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new EngineError('FILE_UNREADABLE', `${what}: ${messageOf(error)}`, {
      hint:
        codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
          ? 'Give the user that Headgate runs as the right to it.'
          : 'Check the folder and its disk.',
      cause: error,
    })
  }
}

async function readProbe(folder: string, files: string[]): Promise<void> {
  await friendly(() => access(folder, constants.R_OK | constants.X_OK), `${folder} cannot be read`)
  for (const name of files) {
    const path = join(folder, name)
    if (!(await stat(path).catch(() => null))?.isFile()) continue
    await friendly(async () => (await open(path, 'r')).close(), `${path} cannot be read`)
    return
  }
}

async function writeProbe(folder: string): Promise<void> {
  const probe = join(folder, `.headgate-probe-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(probe, 'headgate', { flag: 'wx' })
  } finally {
    await rm(probe, { force: true })
  }
}
