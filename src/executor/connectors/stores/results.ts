import { runMessage } from '../../../contract/run-messages.ts'
import { findBinds } from '../../../language/sql-binds.ts'
import { scanSql } from '../../../language/sql/scan-sql.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'
import { type CsvEncoding, csvEncodings } from '../../../language/task/sources/source.types.ts'
import { EngineError, asEngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { namingFile } from '../../engine/query-fixes.ts'
import { name } from '../../engine/sql-text.ts'
import { typed } from '../../engine/stream.ts'
import { bindSql, parse, refuseUnsafe, tableMentions, walk, type TableMention } from '../../engine/user-sql.ts'
import { openFiles } from '../../sources/files-read.ts'
import { sendRows } from '../duckdb/rows.ts'
import { mustHaveValues } from '../read-only.ts'
import type { StreamResult } from '../results.types.ts'
import { withStage } from '../staged-results.ts'
import { withEncoding } from './encoding.ts'
import { listFiles, nothingFound } from './paths.ts'
import { foldersOf, sourceOf } from './resources.ts'
import { withFileStore } from './stores.ts'
import type { FileStore } from './store.types.ts'

/**
 * SQL over the files of a store: a file, or a pattern for several, is a table whose name is its path in quotes. Each is read as a source
 * of a task would read it, with the same checks of where it lies; the query itself reaches nothing but what these make of them.
 */
export const streamFiles: StreamResult = (request, sink, io) =>
  withFileStore(request.connector, { ...io, log: () => undefined }, async (store) => {
    const { query, parameters, connector } = request
    mustHaveValues(
      findBinds(query).map((bind) => bind.name),
      parameters,
    )
    await withStage(request, await foldersOf(connector), io, async (session, context) => {
      const bound = (await bindSql(session, query, parameters)).trim().replace(/;\s*$/, '')
      const statement = await parse(session, bound, query)
      walk(statement, refuseUnsafe)
      const sql = await withTables(bound, tableMentions(statement), (path) => openTable(path, store, context))
      await sendRows(session, sql, query, sink)
    })
  })

/** The query with the name of a table of the session in place of each path. */
async function withTables(
  query: string,
  mentions: readonly TableMention[],
  open: (path: string) => Promise<string>,
): Promise<string> {
  const quoted = new Map(
    scanSql(query, 'duckdb').flatMap(({ kind, start, end }) =>
      kind === 'quoted' ? [[Buffer.byteLength(query.slice(0, start)), { start, end }] as const] : [],
    ),
  )
  const tables = new Map<string, string>()
  let sql = query
  for (const { at, catalog, schema, table, alias } of mentions.toSorted((one, other) => other.at - one.at)) {
    const place = quoted.get(at)
    if (!place || schema !== null || catalog !== null) throw noFile(table)
    const opened = tables.get(table) ?? (await open(table))
    tables.set(table, opened)
    // As DuckDB itself would call it, so that `orders.id` means what it means there.
    const called = alias === null && !/[*?[\]{}]/.test(table) ? ` AS ${name(stemOf(table))}` : ''
    sql = `${sql.slice(0, place.start)}${name(opened)}${called}${sql.slice(place.end)}`
  }
  return sql
}

function noFile(written: string): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', runMessage('query_names_no_file', { written }), {
    hint: runMessage('query_names_no_file_fix'),
  })
}

/** `orders` of `folder/orders.csv.gz#Sheet`. */
function stemOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/#.*$/s, '')
  return file.replace(/(?<=.)\..*$/s, '')
}

async function openTable(written: string, store: FileStore, context: StageContext): Promise<string> {
  const { glob, source, isEncoded } = namedSource(written)
  const files = await listFiles(store, glob)
  if (files.length === 0) throw await nothingFound(store, glob)
  const opened = await store.open(files, null)
  const view = context.session.newName('files')
  try {
    const read = isEncoded ? source : await withEncoding(source, opened)
    const stream = typed(await openFiles(read, opened, context, { limit: null }))
    await context.session.run(`CREATE TEMP VIEW ${name(view)} AS ${stream.sql}`)
  } catch (error) {
    throw namingFile(asEngineError(error), written)
  }
  return view
}

/** `book.xlsx#Sheet 2` names a sheet, `old.csv#latin-1` an encoding. */
function namedSource(written: string) {
  const [, book, sheet] = /^(.+\.xls[xm])#(.+)$/is.exec(written) ?? []
  const encoded = /^([^#]+)#([^#/]*)$/s.exec(written)
  const [, text = '', named = ''] = encoded && formatOfPath(encoded[1] ?? '').format === 'csv' ? encoded : []
  const glob = book ?? (text || written)
  const encoding = text ? encodingOf(named) : undefined
  const source = sourceOf(glob, { sheet: sheet ?? null, union_by_name: true, ...(encoding && { encoding }) })
  if (source) return { glob, source, isEncoded: encoding !== undefined }
  throw new EngineError('FILE_NOT_FOUND', runMessage('file_format_unknown', { name: written }), {
    hint: runMessage('file_format_unknown_fix'),
  })
}

function encodingOf(named: string): CsvEncoding {
  const found = csvEncodings.find((encoding) => encoding === named.trim().toLowerCase())
  if (found) return found
  throw new EngineError('QUERY_INVALID', runMessage('query_encoding_unknown', { encoding: named }), {
    hint: runMessage('query_encoding_unknown_fix', { encodings: [...csvEncodings] }),
  })
}
