import { createHash } from 'node:crypto'
import { mysqlName, type MysqlSession } from './client.ts'
import { mysqlColumns, type MysqlTable } from './catalog.ts'
import { numberOf } from './errors.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import type { ColumnChange } from '../../targets/column-plan.ts'

interface Logging {
  log(message: string): void
  warn(message: string): void
}

/** A table like another one, with other types of some columns, which takes its place once it has the rows. */
export interface TableBeside {
  table: MysqlTable
  /** Of the table that is there. */
  rows: number
  /** One statement puts it in place: readers see the old table or the new one. The rest of the table follows. */
  takePlace(): Promise<void>
  /** Nothing is left of it. */
  discard(): Promise<void>
}

/** Indexes, defaults, comments and options come along; rights and views go by the name. */
export async function makeBeside(
  session: MysqlSession,
  given: MysqlTable,
  changes: readonly ColumnChange[],
  { log, warn }: Logging,
): Promise<TableBeside> {
  const table = besideOf(given, 'new')
  const old = besideOf(given, 'old')
  // What a run that was killed has left.
  await session.run(`DROP TABLE IF EXISTS ${table.sql}`)
  await session.run(`CREATE TABLE ${table.sql} LIKE ${given.sql}`)
  const discard = async (): Promise<void> => void (await session.run(`DROP TABLE IF EXISTS ${table.sql}`))
  try {
    await alter(session, table, changes, warn)
  } catch (error) {
    await discard()
    throw error
  }
  const [[rows] = []] = await session.rows(`SELECT count(*) FROM ${given.sql}`)
  return {
    table,
    rows: Number(rows),
    discard,
    async takePlace() {
      const triggers = await triggersOf(session, given)
      const own = await ownForeignKeys(session, given)
      const others = await foreignKeysTo(session, given)
      await session.run(`DROP TABLE IF EXISTS ${old.sql}`)
      await session.run(`RENAME TABLE ${given.sql} TO ${old.sql}, ${table.sql} TO ${given.sql}`)
      for (const { name, type, from } of changes)
        log(`Gave column ${name} of ${given.table} the type ${type}; it was ${from}`)
      const putBack = async ({ what, make }: Belonging, work: () => Promise<unknown>): Promise<void> => {
        try {
          await work()
        } catch (error) {
          warn(`The new types leave no place for ${what}, which was removed: ${messageOf(error)}. It was: ${make}`)
        }
      }
      // The others first: a table that is referred to cannot be dropped.
      for (const other of others)
        await putBack(other, async () => {
          await session.run(other.drop)
          await session.run(other.make)
        })
      await session
        .run(`DROP TABLE ${old.sql}`)
        .catch((error: unknown) => warn(`The old table is still there, as ${old.table}: ${messageOf(error)}`))
      for (const key of own) await putBack(key, () => session.run(key.make))
      for (const trigger of triggers) await putBack(trigger, () => makeTrigger(session, trigger, warn))
    },
  }
}

function besideOf({ schema, table }: MysqlTable, suffix: 'new' | 'old'): MysqlTable {
  const beside = `headgate_${suffix}_${createHash('sha1').update(table).digest('hex').slice(0, 16)}`
  return { schema, table: beside, sql: `${mysqlName(schema)}.${mysqlName(beside)}` }
}

/** A default of the old type may be none of the new one: then the column has no default. */
async function alter(
  session: MysqlSession,
  table: MysqlTable,
  changes: readonly ColumnChange[],
  warn: Logging['warn'],
): Promise<void> {
  const columns = await mysqlColumns(session, table)
  const comments = await session.rows(
    `SELECT column_name, column_comment FROM information_schema.columns WHERE table_schema = ? AND table_name = ?`,
    [table.schema, table.table],
  )
  for (const { name, type } of changes) {
    const column = columns.find((one) => one.name === name)
    const comment = String(comments.find(([one]) => one === name)?.[1] ?? '')
    const indexed = column?.primaryKey === true && /^long(text|blob)$/.test(type)
    const fitting = indexed ? type.replace('longtext', 'varchar(255)').replace('longblob', 'varbinary(255)') : type
    const described = `${mysqlName(name)} ${fitting} ${column?.nullable === false ? 'NOT NULL' : 'NULL'}`
    const commentClause = comment === '' ? '' : ` COMMENT ${quoted(comment)}`
    const modify = (more: string): Promise<unknown> =>
      session.run(`ALTER TABLE ${table.sql} MODIFY COLUMN ${described}${more}${commentClause}`)
    const given = column?.default ?? null
    if (given === null) await modify('')
    else {
      try {
        await modify(` DEFAULT ${given}`)
      } catch (error) {
        await modify('')
        warn(`The new type leaves no place for the default ${given} of column ${name}: ${messageOf(error)}`)
      }
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

interface Belonging {
  what: string
  make: string
}

interface Trigger extends Belonging {
  /** It means what it meant in the mode in which it was written. */
  mode: string
}

async function triggersOf(session: MysqlSession, { schema, table }: MysqlTable): Promise<Trigger[]> {
  const rows = await session.rows(
    `SELECT trigger_name, sql_mode FROM information_schema.triggers
     WHERE event_object_schema = ? AND event_object_table = ? ORDER BY action_timing, event_manipulation, action_order`,
    [schema, table],
  )
  const found: Trigger[] = []
  for (const [trigger, mode] of rows) {
    const [row = []] = await session.rows(`SHOW CREATE TRIGGER ${mysqlName(schema)}.${mysqlName(String(trigger))}`)
    found.push({ what: `trigger ${String(trigger)}`, make: String(row[2]), mode: String(mode) })
  }
  return found
}

/** “Access denied; you need the SUPER or SET USER privilege” */
const mayNot = 1227

/** Only some users may make a trigger that acts with the rights of another one: then it acts with ours, which is told. */
async function makeTrigger(session: MysqlSession, { what, make, mode }: Trigger, warn: Logging['warn']): Promise<void> {
  const [[before] = []] = await session.rows('SELECT @@sql_mode')
  await session.run(`SET SESSION sql_mode = ${quoted(mode)}`)
  try {
    await session.run(make)
  } catch (error) {
    const [, definer] = /^CREATE (DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`) /.exec(make) ?? []
    if (definer === undefined || !(error instanceof EngineError) || numberOf(error.cause) !== mayNot) throw error
    await session.run(make.replace(`${definer} `, ''))
    warn(`The ${what} now acts with the rights of this connector’s user; it had ${definer}`)
  } finally {
    await session.run(`SET SESSION sql_mode = ${quoted(String(before))}`)
  }
}

/** Foreign keys as the server writes them: it knows all that belongs to them. */
async function clausesOf(session: MysqlSession, sql: string): Promise<Map<string, string>> {
  const [row = []] = await session.rows(`SHOW CREATE TABLE ${sql}`)
  const clauses = String(row[1]).matchAll(/^\s*(CONSTRAINT `((?:[^`]|``)+)` FOREIGN KEY .*?),?$/gm)
  return new Map([...clauses].map(([, clause = '', constraint = '']) => [constraint.replaceAll('``', '`'), clause]))
}

async function ownForeignKeys(session: MysqlSession, { sql }: MysqlTable): Promise<Belonging[]> {
  return [...(await clausesOf(session, sql))].map(([constraint, clause]) => ({
    what: `foreign key ${constraint}`,
    make: `ALTER TABLE ${sql} ADD ${clause}`,
  }))
}

interface ForeignKey extends Belonging {
  drop: string
}

async function foreignKeysTo(session: MysqlSession, { schema, table }: MysqlTable): Promise<ForeignKey[]> {
  const rows = await session.rows(
    `SELECT constraint_schema, table_name, constraint_name FROM information_schema.referential_constraints
     WHERE unique_constraint_schema = ? AND referenced_table_name = ? AND NOT (constraint_schema = ? AND table_name = ?)`,
    [schema, table, schema, table],
  )
  const found: ForeignKey[] = []
  for (const [place, child, constraint] of rows.map((row) => row.map(String))) {
    if (place === undefined || child === undefined || constraint === undefined) continue
    const sql = `${mysqlName(place)}.${mysqlName(child)}`
    const clause = (await clausesOf(session, sql)).get(constraint)
    if (clause === undefined) continue
    found.push({
      what: `foreign key ${constraint} of ${child}`,
      drop: `ALTER TABLE ${sql} DROP FOREIGN KEY ${mysqlName(constraint)}`,
      make: `ALTER TABLE ${sql} ADD ${clause}`,
    })
  }
  return found
}
