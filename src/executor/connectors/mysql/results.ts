import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import { compileBinds, writtenOffset } from '../../../language/sql-binds.ts'
import { messageOf } from '../../engine/errors.ts'
import { mustBeginWith, mustHaveValues, notAllowed, outlineOf, refuseCalls } from '../read-only.ts'
import type { MistakeAt, StreamResult } from '../results.types.ts'
import { wireBytes, wireDouble, wireFloat } from '../wire-values.ts'
import { withMysql, type MysqlField, type MysqlSession, type MysqlValue } from './client.ts'
import { bindValue, bitsOf, columnTypes, isBinary, isUnsigned } from './values.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Functions that act, or read the server's files. */
const acting =
  /^(load_file|sys_(exec|eval|get|set)|get_lock|release_(all_)?locks?|setval|master_.*|source_pos_wait|wait_for_.*|lib_mysqludf.*)$/
/** Statements that change data may take numbers. */
const sequences = /^(nextval|lastval)$/

/**
 * Quotes must mean to the server what they mean to the check. The modes named after systems switch ANSI_QUOTES on again, though it was
 * taken out of the list.
 */
const quotedAsChecked = [
  'NO_BACKSLASH_ESCAPES',
  'ANSI_QUOTES',
  'ANSI',
  'ORACLE',
  'MSSQL',
  'DB2',
  'MAXDB',
  'POSTGRESQL',
].reduce((modes, mode) => `REPLACE(${modes}, '${mode}', '')`, '@@SESSION.sql_mode')

/** A read-only transaction in a session of its own, one prepared statement, rows as they come. */
export const streamMysql: StreamResult = ({ connector, query, parameters, timeoutMs }, sink, { signal }) =>
  withMysql(connector, signal, async (session) => {
    const { sql, names } = compileBinds(query, 'mysql')
    mustHaveValues(names, parameters)
    check(sql)
    await session.run(`SET SESSION sql_mode = ${quotedAsChecked}`)
    await limitStatements(session, timeoutMs)
    await session.run('SET SESSION TRANSACTION READ ONLY')
    await session.run('START TRANSACTION READ ONLY')
    if ((await session.columns(sql)).length === 0) throw notAllowed(runMessage('statement_gives_no_rows'))
    let reads: ((value: Given) => WireValue)[] = []
    await session.each(
      sql,
      names.map((bind) => bindValue(parameters[bind] ?? null)),
      {
        fields(described) {
          reads = described.map(readerOf)
          sink.start(described.map(fieldOf), sql)
        },
        row: (row) => sink.row(row.map((value, at) => (value === null ? null : (reads[at]?.(value) ?? null)))),
      },
    )
  })

/** The server quotes what stands from its mistake on, shortened, and the line. */
export const mistakeAtMysql: MistakeAt = ({ cause }, query) => {
  const said = / near '([^]+)' at line (\d+)/.exec(messageOf(cause))
  if (!said?.[1]) return null
  const { sql } = compileBinds(query, 'mysql')
  const found = sql.indexOf(said[1], startOfLine(sql, Number(said[2])))
  return found < 0 ? null : writtenOffset(query, 'mysql', found)
}

function startOfLine(text: string, line: number): number {
  let at = 0
  for (let left = line; left > 1; left--) at = text.indexOf('\n', at) + 1
  return at
}

/**
 * A query whose reader is gone must end though nobody can tell the server. Rows that wait for the reader count here, so this is
 * longer than what is asked for; the executor looks after that.
 */
async function limitStatements(session: MysqlSession, timeoutMs: number): Promise<void> {
  const [[version] = []] = await session.rows('SELECT version()')
  const most = timeoutMs + 3_600_000
  await session.run(
    /mariadb/i.test(String(version))
      ? `SET SESSION max_statement_time = ${Math.ceil(most / 1000)}`
      : `SET SESSION max_execution_time = ${most}`,
  )
}

function check(sql: string): void {
  const outline = outlineOf(sql, 'mysql')
  // Measuring a SELECT is running it; ANALYZE TABLE would write.
  if (outline.words[0] === 'analyze')
    mustBeginWith(['analyze format json select', 'analyze format json with', 'analyze format json values'], {
      ...outline,
      words: [outline.words.slice(0, 4).join(' ')],
    })
  else mustBeginWith(['select', 'with', 'values', 'table', 'show', 'describe', 'desc', 'explain'], outline)
  if (outline.comments.some((comment) => /^\/\*M?!/.test(comment))) {
    throw notAllowed(runMessage('executed_comments_refused'))
  }
  const { words } = outline
  if (words.includes('into')) throw notAllowed(runMessage('into_refused'))
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)
  const locks = pairs.find((pair) => /^(for (update|share)|lock in|next value|previous value)$/.test(pair))
  if (locks !== undefined) throw notAllowed(runMessage('locks_refused', { locks: locks.toUpperCase() }))
  refuseCalls(sequences, outline)
  refuseCalls(acting, outline)
}

/** Refuses a change that acts, or reads files. */
export const refuseActs = (sql: string): void => refuseCalls(acting, outlineOf(sql, 'mysql'))

type Given = Exclude<MysqlValue, null>

const names: Partial<Record<number, readonly [ValueType, string]>> = {
  [columnTypes.short]: ['integer', 'smallint'],
  [columnTypes.int24]: ['integer', 'mediumint'],
  [columnTypes.year]: ['integer', 'year'],
  [columnTypes.tiny]: ['integer', 'tinyint'],
  [columnTypes.longlong]: ['bigint', 'bigint'],
  [columnTypes.bit]: ['bigint', 'bit'],
  [columnTypes.float]: ['double', 'float'],
  [columnTypes.double]: ['double', 'double'],
  [columnTypes.decimal]: ['decimal', 'decimal'],
  [columnTypes.date]: ['date', 'date'],
  [columnTypes.time]: ['time', 'time'],
  [columnTypes.datetime]: ['datetime', 'datetime'],
  [columnTypes.timestamp]: ['datetime_tz', 'timestamp'],
  [columnTypes.json]: ['json', 'json'],
  [columnTypes.geometry]: ['bytes', 'geometry'],
  [columnTypes.vector]: ['bytes', 'vector'],
}

export function fieldOf(field: MysqlField): QueryField {
  const [type, native] = kindOf(field)
  return { name: field.name, type, native }
}

function kindOf(field: MysqlField): readonly [ValueType, string] {
  if (field.columnType === columnTypes.long) return isUnsigned(field) ? ['bigint', 'int unsigned'] : ['integer', 'int']
  if (field.extendedFormat === 'json') return ['json', 'json']
  if (field.extendedTypeName === 'uuid') return ['uuid', 'uuid']
  const known = names[field.columnType ?? -1]
  if (known) return isUnsigned(field) && known[0] !== 'decimal' ? [known[0], `${known[1]} unsigned`] : known
  const isText = field.extendedTypeName !== undefined || !isBinary(field)
  return isText ? ['text', field.extendedTypeName ?? ''] : ['bytes', 'binary']
}

export function readerOf(field: MysqlField): (value: Given) => WireValue {
  const [type] = kindOf(field)
  const text = (value: Given): string => (Buffer.isBuffer(value) ? value.toString() : String(value))
  if (field.columnType === columnTypes.bit) {
    return (value) => (Buffer.isBuffer(value) ? bitsOf(value) : BigInt(value)).toString()
  }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest is the text that the server sent
  switch (type) {
    case 'integer':
      return Number
    case 'double':
      return (value) => (field.columnType === columnTypes.float ? wireFloat(Number(value)) : wireDouble(Number(value)))
    case 'bytes':
      return (value) => wireBytes(Buffer.isBuffer(value) ? value : Buffer.from(String(value)))
    case 'datetime':
      return (value) => moment(text(value))
    case 'datetime_tz':
      return (value) => `${moment(text(value))}Z`
    default:
      return text
  }
}

/** Zero dates stay as they are. */
const moment = (value: string): string => value.replace(' ', 'T')
