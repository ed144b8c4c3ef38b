import type { ChangeStatement, ChangesReport } from '../../../contract/changes.ts'
import { compileBinds } from '../../../language/sql-binds.ts'
import type { Binds } from '../../../language/task/task.types.ts'
import { asEngineError } from '../../engine/errors.ts'
import type { Bound, ChangeSession, ChangesIo, ChangesRequest, OpenChanges, RunChanges } from '../changes.types.ts'
import { mustHaveValues, notAllowed } from '../read-only.ts'
import { connectorRunner } from '../registry.ts'
import { resultSystem } from '../results.ts'
import { filling } from './placeholders.ts'
import { rawWrite } from './raw-write.ts'
import { differs, mayHaveCommitted, reportOf } from './report.ts'
import { countIn } from './wire-check.ts'
import { type Plan, planBuilder, planEdits, tableOf } from './sql-plan.ts'

type Raw = Extract<ChangesRequest['changes'], { kind: 'raw' }>
interface SqlStep {
  shown: ChangeStatement
  values: Bound
  /** As it is sent, where that is not what is shown. */
  sql?: string
}

/** Changes of a database: what is compared, counted, and written is one transaction. */
export function changeSql(open: OpenChanges): RunChanges {
  return async (request, io) => {
    const { connector, changes, reviewed } = request
    if (reviewed === null && changes.kind === 'raw') return reviewRaw(open, request, changes, io)
    const detail =
      changes.kind === 'raw' ? null : await connectorRunner(connector).getResource(connector, changes.resource, io)
    const access = reviewed === null ? 'read' : 'write'
    const session = await open(connector, access, io)
    try {
      await session.begin()
      const { steps, conflicts } =
        changes.kind === 'raw'
          ? { steps: [await rawStep(session, changes)], conflicts: [] }
          : await planned(session, changes, await tableOf(session, detail!, changes.resource)) // of the same kind
      const shown = steps.map((step) => step.shown)
      if (conflicts.length > 0) return reportOf('conflict', shown, { conflicts })
      if (reviewed === null) return reportOf('reviewed', shown)
      if (reportOf('reviewed', shown).digest !== reviewed) return reportOf('conflict', shown, { conflicts: [differs] })
      return await write(session, steps)
    } catch (thrown) {
      if (session.isConflict(thrown)) return reportOf('conflict', [], { conflicts: [differs] })
      throw thrown
    } finally {
      // Takes back what was not committed.
      await session.close()
    }
  }
}

function planned(
  session: ChangeSession,
  changes: Exclude<ChangesRequest['changes'], Raw>,
  table: Awaited<ReturnType<typeof tableOf>>,
): Promise<Plan> {
  if (changes.kind === 'edits') return planEdits(session, table, changes.edits)
  const { action, definition, parameters } = changes
  return planBuilder(session, table, { action, definition, fill: filling(parameters) })
}

async function write(session: ChangeSession, steps: readonly SqlStep[]): Promise<ChangesReport> {
  const done: ChangeStatement[] = []
  for (const { shown, values, sql } of steps) {
    const changed = await session.run(sql ?? shown.statement, values)
    // Fewer: triggers skip rows, and MySQL does not count those that stay as they are.
    if (changed > shown.rows) return reportOf('conflict', done, { conflicts: [{ ...differs, edit: shown.edit }] })
    done.push({ ...shown, changed })
  }
  const changed = done.reduce((sum, one) => sum + (one.changed ?? 0), 0)
  try {
    await session.commit()
  } catch (thrown) {
    const error = asEngineError(thrown)
    if (!mayHaveCommitted(error)) throw thrown
    return reportOf('unknown', done, { changed, problem: error.message })
  }
  return reportOf('written', done, { changed })
}

interface ReadRaw {
  sql: string
  target: string
  count: string | number
  binds: Binds
}

function readRaw({ query, parameters }: Raw, dialect: ChangeSession['dialect']): ReadRaw {
  const read = rawWrite(query, dialect)
  if ('refused' in read) throw notAllowed(read.refused)
  const binds = parameters as Binds // JSON, as it came with the request
  mustHaveValues(compileBinds(read.sql, dialect).names, binds)
  return { ...read, binds }
}

function shownRaw({ sql, binds }: ReadRaw, dialect: ChangeSession['dialect'], rows: number): ChangeStatement {
  const names = new Set(compileBinds(sql, dialect).names)
  const values = [...names].map((name) => ({ name, type: '', value: binds[name] ?? null }))
  return { statement: sql, values, rows, changed: null, edit: null }
}

/** The whole statement: what it counts is only a part of it. */
async function refuse(session: ChangeSession, { sql, target }: ReadRaw): Promise<void> {
  await session.refuseActs?.(sql)
  await session.refuseTarget?.(target)
}

/** Counted as every query is read: in a session that only reads, with the same checks. */
async function reviewRaw(
  open: OpenChanges,
  { connector }: ChangesRequest,
  raw: Raw,
  io: ChangesIo,
): Promise<ChangesReport> {
  const dialect = dialects[connector.type] ?? 'duckdb'
  const read = readRaw(raw, dialect)
  const session = await open(connector, 'read', io)
  try {
    await refuse(session, read)
  } finally {
    await session.close()
  }
  let rows = typeof read.count === 'number' ? read.count : 0
  if (typeof read.count === 'string') {
    const request = { connector, query: read.count, parameters: read.binds, timeoutMs: countTimeoutMs }
    const sink = {
      start: () => undefined,
      row: (values: readonly unknown[]) => {
        rows = countIn(values[0])
        return null
      },
    }
    await resultSystem(request).stream(request, sink, io)
  }
  return reportOf('reviewed', [shownRaw(read, dialect, rows)])
}

/** The call has its own limit. */
const countTimeoutMs = 600_000
const dialects: Readonly<Record<string, ChangeSession['dialect']>> = {
  postgres: 'postgres',
  mysql: 'mysql',
  sqlite: 'sqlite',
  duckdb: 'duckdb',
}

async function rawStep(session: ChangeSession, raw: Raw): Promise<SqlStep> {
  const { dialect } = session
  const read = readRaw(raw, dialect)
  await refuse(session, read)
  const compiled = (text: string): { sql: string; values: Bound } => {
    const { sql, names } = compileBinds(text, dialect)
    const values = names.map((name) => session.bindJson(read.binds[name] ?? null))
    // SQLite binds by name.
    return {
      sql,
      values: dialect === 'sqlite' ? Object.fromEntries(names.map((name, at) => [name, values[at]])) : values,
    }
  }
  let rows = typeof read.count === 'number' ? read.count : 0
  if (typeof read.count === 'string') {
    const count = compiled(read.count)
    rows = countIn((await session.read(count.sql, count.values)).rows[0]?.[0])
  }
  return { shown: shownRaw(read, dialect, rows), ...compiled(read.sql) }
}
