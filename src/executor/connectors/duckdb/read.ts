import type { Column } from '../../../contract/common.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import type { SqlSource } from '../../../language/task/sources/source.types.ts'
import { duckDbError, duckDbFile } from './file.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { findColumn, name, names, refuseDuplicates, text } from '../../engine/sql-text.ts'
import { bindSql } from '../../engine/user-sql.ts'
import { checkDefinitions } from './definitions.ts'
import { qualifyQuery } from './query.ts'
import type { DatabaseSource } from '../../sources/sql.types.ts'
import { fromCursor } from '../sqlite/cursor.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The session reads the file itself: no row is copied before a step or the target asks for it. */
export const openDuckDbSource: DatabaseSource = async (read, connector, context, { limit }) => {
  const { session, stage } = context
  const { path } = await duckDbFile(connector, 'read')
  const catalog = await session.attach(path)
  try {
    const { sql, whole } =
      read.kind === 'table' ? await tableSql(read, catalog, context) : await querySql(read, catalog, context)
    const limited = limit === null ? sql : `SELECT * FROM (${sql}) LIMIT ${limit}`
    const columns = await session.describe(limited)
    refuseDuplicates(columns.map((column) => column.name))
    // A table knows how many rows it has; nobody else writes the file meanwhile.
    const [count] = whole === null || limit !== null ? [] : await session.rows(`SELECT count(*) FROM ${whole}`)
    const rows = count === undefined ? null : Number(count[0])
    if (read.kind === 'table' && read.partition !== null)
      context.log('debug', '`partition` has no effect here: DuckDB reads its file on all cores')
    context.log('info', `Reads ${read.kind === 'table' ? read.table : 'a query'} of ${connector.name} where it lies`)
    return {
      sql: limited,
      columns,
      rows,
      open: rows === null ? [{ kind: 'query', stage, sql: limited }] : [],
      trail: [{ stage, sql: limited }],
    }
  } catch (error) {
    throw duckDbError(error, connector, catalog)
  }
}

/** Whether a column of the file may have a collation: DuckDB says so only in the text of what was defined. */
async function hasCollations({ session }: StageContext, catalog: string): Promise<boolean> {
  const defined = (what: string) =>
    `SELECT 1 FROM duckdb_${what}() WHERE database_name = ${text(catalog)} AND NOT internal AND sql ILIKE '%collate%'`
  return (await session.rows(`${defined('tables')} UNION ALL ${defined('views')} LIMIT 1`)).length > 0
}

/**
 * Collations belong to the file. Taken along, they would decide what a step or a cursor finds equal, and DuckDB joins no texts of different
 * ones.
 */
function withoutCollations(sql: string, columns: readonly Column[]): string {
  const plain = columns
    .filter(({ type }) => type === 'VARCHAR')
    .map(({ name: column }) => `decode(encode(${name(column)})) AS ${name(column)}`)
  return plain.length === 0 ? sql : `SELECT * REPLACE (${plain.join(', ')}) FROM (${sql})`
}

type Read<K extends SqlSource['read']['kind']> = Extract<SqlSource['read'], { kind: K }>

interface Reading {
  sql: string
  /** The table whose rows are all read; null where a condition or a query says which. */
  whole: string | null
}

async function tableSql(read: Read<'table'>, catalog: string, context: StageContext): Promise<Reading> {
  const parsed = parseTableName(read.table)
  if (!parsed) {
    throw new EngineError('TABLE_NOT_FOUND', runMessage('table_name_invalid', { table: read.table }), {
      hint: runMessage('table_name_invalid_fix'),
    })
  }
  const table = `${name(catalog)}.${name(parsed.schema ?? 'main')}.${name(parsed.name)}`
  await checkDefinitions(context.session, catalog, { relations: [parsed.name.toLowerCase()], functions: [] })
  const all: Column[] = await context.session.describe(`SELECT * FROM ${table}`)
  const list = read.columns === null ? '*' : names(read.columns.map((column) => findColumn(all, column).name))
  const start = context.cursor === null ? null : await fromCursor(all, context.cursor, context)
  const plain = (await hasCollations(context, catalog))
    ? `(${withoutCollations(`SELECT * FROM ${table}`, all)})`
    : table
  const sql = `SELECT ${list} FROM ${plain}${start === null ? '' : ` WHERE ${start}`}`
  return { sql, whole: start === null ? table : null }
}

async function querySql(read: Read<'query'>, catalog: string, context: StageContext): Promise<Reading> {
  const bound = await bindSql(context.session, read.query, read.params)
  const sql = (await qualifyQuery(context.session, bound, catalog, read.query)).trim().replace(/;\s*$/, '')
  // A comment at the end must not take in what is put after it.
  const whole = `${sql}\n`
  if (!/\bcollate\b/i.test(sql) && !(await hasCollations(context, catalog))) return { sql: whole, whole: null }
  const columns = await context.session.describe(whole)
  refuseDuplicates(columns.map((column) => column.name))
  return { sql: withoutCollations(whole, columns), whole: null }
}
