import { shortened } from '../../language/shortened.ts'
import { randomBytes } from 'node:crypto'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { parseTableName } from '../../language/task/table-name.ts'
import type { SqlTask } from '../../language/task/kinds/task-document.types.ts'
import type { Binds } from '../../language/task/task.types.ts'
import { openStatements } from '../connectors/statements.ts'
import type { StatementResult, StatementSession } from '../connectors/statements.types.ts'
import { requireKeepable } from '../connectors/mysql/long-names.ts'
import { requireShort } from '../connectors/postgres/long-names.ts'
import { createCommitPermit, type CommitPermit } from '../engine/commit-permit.ts'
import { EngineError, asEngineError } from '../engine/errors.ts'
import { name } from '../engine/sql-text.ts'
import type { KindContext, KindRunner } from './kind.types.ts'
import { runMessage } from '../../contract/run-messages.ts'

export const sqlRunner: KindRunner<'sql'> = {
  kind: 'sql',
  async run({ sql }, context) {
    const connector = context.connector(sql.connector)
    const session = await openStatements(connector, context)
    try {
      const results =
        sql.work.kind === 'create_as'
          ? [await createAs(session, connector, sql.work, sql.params, context)]
          : await runStatements(session, sql.work, sql.params, context)
      const changed = results.reduce((sum, result) => sum + (result.changed ?? 0), 0)
      const first = results.findLast((result) => result.first !== null)?.first ?? null
      context.report.count(0, changed)
      return {
        item_count: changed,
        scope: { result: { first } },
        metrics: { rows_in: 0, rows_out: changed, rejected: 0, lane: 'pushdown' },
      }
    } finally {
      await session.close()
    }
  },
}

type Work<K extends SqlTask['sql']['work']['kind']> = Extract<SqlTask['sql']['work'], { kind: K }>

async function runStatements(
  session: StatementSession,
  { statements, transaction }: Work<'statements'>,
  params: Binds,
  context: KindContext,
): Promise<StatementResult[]> {
  const results: StatementResult[] = []
  const permit = createCommitPermit(context.io, false)
  if (transaction) await session.begin()
  try {
    // Without a transaction each statement stays done.
    if (!transaction) await permit.ask()
    for (const [index, statement] of statements.entries()) {
      const began = performance.now()
      const result = await session.run(statement, params).catch((thrown: unknown) => {
        throw atStatement(asEngineError(thrown), index, statements.length, statement)
      })
      results.push(result)
      const rows = result.changed === null ? 'done' : `${count(result.changed)} changed`
      context.log('info', `${shown(statement)}: ${rows} (${Math.round(performance.now() - began)} ms)`)
    }
    await permit.ask()
    if (transaction) await session.commit()
    return results
  } catch (thrown) {
    const error = permit.explain(asEngineError(thrown))
    if (transaction) await session.rollback()
    else if (results.length > 0)
      context.log('warn', `The first ${results.length} of ${statements.length} statements stay done`)
    throw error
  }
}

function atStatement(error: EngineError, index: number, of: number, statement: string): EngineError {
  if (error.code === 'CANCELLED') return error
  const place = of === 1 ? shown(statement) : `Statement ${index + 1} of ${of} (${shown(statement)})`
  return new EngineError(error.code, runMessage('at_place', { place, cause: error.reason }), {
    hint: error.fix,
    cause: error.cause,
  })
}

/** The table is made beside the old one, which gives way only when the query has succeeded. */
async function createAs(
  session: StatementSession,
  connector: BoundConnector,
  { table, query }: Work<'create_as'>,
  params: Binds,
  context: KindContext,
): Promise<StatementResult> {
  const parsed = parseTableName(table)
  if (!parsed)
    throw new EngineError('TABLE_NOT_FOUND', runMessage('table_name_invalid', { table }), {
      hint: runMessage('table_name_invalid_fix'),
    })
  if (connector.type === 'postgres') requireShort([parsed.schema ?? '', parsed.name], 'TABLE_NOT_FOUND')
  if (connector.type === 'mysql') requireKeepable([parsed.schema ?? '', parsed.name], 'TABLE_NOT_FOUND')
  const own = connector.type === 'mysql' ? mysqlName : name
  const place = parsed.schema === null ? '' : `${own(parsed.schema)}.`
  const at: Places = {
    table: `${place}${own(parsed.name)}`,
    fresh: `${place}${own(`headgate_new_${randomBytes(4).toString('hex')}`)}`,
    old: `${place}${own(`headgate_old_${randomBytes(4).toString('hex')}`)}`,
    bare: own(parsed.name),
    schema: parsed.schema,
    name: parsed.name,
  }
  // SQLite would else refuse to rename a table while a view reads one of the new name.
  if (connector.type === 'sqlite') await session.run('PRAGMA legacy_alter_table = ON', {})
  const swap = connector.type === 'mysql' ? swapByRename : swapInTransaction
  const permit = createCommitPermit(context.io, true)
  const made = await swap(session, at, query, params, permit)
  const changed = made.changed ?? (await rowsOf(session, at.table))
  context.log('info', `Made table ${table} with ${count(changed)}`)
  return { changed, first: null }
}

interface Places {
  /** All quoted, with their schema. */
  table: string
  fresh: string
  old: string
  /** Without it. */
  bare: string
  /** As they are, not quoted. */
  schema: string | null
  name: string
}

async function swapInTransaction(
  session: StatementSession,
  { table, fresh, bare }: Places,
  query: string,
  params: Binds,
  permit: CommitPermit,
): Promise<StatementResult> {
  await session.begin()
  try {
    const made = await session.run(`CREATE TABLE ${fresh} AS ${query}`, params)
    await session.run(`DROP TABLE IF EXISTS ${table}`, {})
    await session.run(`ALTER TABLE ${fresh} RENAME TO ${bare}`, {})
    await permit.ask()
    await session.commit()
    return made
  } catch (error) {
    await session.rollback()
    throw error
  }
}

/** MySQL commits with every change of a table; a rename of two tables is the one thing that it does at once. */
async function swapByRename(
  session: StatementSession,
  { table, fresh, old, schema, name: plain }: Places,
  query: string,
  params: Binds,
  permit: CommitPermit,
): Promise<StatementResult> {
  try {
    const made = await session.run(`CREATE TABLE ${fresh} AS ${query}`, params)
    await permit.ask()
    const { first } = await session.run(
      'SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = coalesce(:schema, DATABASE()) AND table_name = :name',
      { schema, name: plain },
    )
    if (Number(first?.['n'] ?? 0) === 0) {
      await session.run(`RENAME TABLE ${fresh} TO ${table}`, {})
      return made
    }
    await session.run(`RENAME TABLE ${table} TO ${old}, ${fresh} TO ${table}`, {})
    await session.run(`DROP TABLE ${old}`, {})
    return made
  } catch (error) {
    // What failed is told; a table that is left over bears our name.
    await session.run(`DROP TABLE IF EXISTS ${fresh}`, {}).catch(() => undefined)
    throw error
  }
}

async function rowsOf(session: StatementSession, table: string): Promise<number> {
  const { first } = await session.run(`SELECT count(*) AS n FROM ${table}`, {})
  return Number(first?.['n'] ?? 0)
}

function mysqlName(identifier: string): string {
  return `\`${identifier.replaceAll('`', '``')}\``
}

const count = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
const shown = (statement: string): string => shortened(statement.replace(/\s+/g, ' ').trim(), 120)
