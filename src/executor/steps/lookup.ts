import type { Column } from '../../contract/common.ts'
import type { LookupStep } from '../../language/task/steps/step.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { numberColumn, placesAmong, type Places } from '../engine/places.ts'
import { rejectRows } from '../engine/reject-rows.ts'
import { messageSql, param } from '../engine/sql-reasons.ts'
import { findColumn, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { mapped, resized, type RowStream } from '../engine/stream.ts'
import { numberRows } from '../engine/row-numbers.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** A pair of columns whose values must be equal. */
interface Match {
  from: Column
  to: Column
  /** The type as which one of them is compared, where DuckDB's own common type would round; null: there is no need. */
  exactly: { side: 'from' | 'to'; type: string } | null
}

interface Lookup {
  step: LookupStep
  context: StageContext
  matches: Match[]
  input: RowStream & { table: string }
  /** The input, or its first row of each key. */
  table: string
  added: { name: string; from: Column }[]
}

export const lookupStep: StepRunner<'lookup'> = {
  kind: 'lookup',
  async apply(step, stream, context) {
    const input = await context.input(step.input)
    const matches = matchesOf(step, stream, input)
    const added = addedBy(step, input, matches)
    refuseClash(stream, added, step)
    // A join shows no counts in the plan, and what is looked at twice is put down first.
    const several = await hasSeveral(input.table, matches, context)
    const looks = step.on_missing === 'quarantine' || step.on_missing === 'fail' || (several && step.on_many === 'fail')
    const rows = looks || stream.open.length > 0 ? await context.materialise(stream) : stream
    const lookup: Lookup = { step, context, matches, added, input, table: input.table }
    if (several && step.on_many === 'fail') await refuseSeveral(rows, lookup)
    if (several) lookup.table = await firstOfEach(lookup)
    if (step.on_missing === 'fail') await refuseMissing(rows, lookup)
    const rejected = step.on_missing === 'quarantine' ? await rejectMissing(rows, lookup, stream.places) : 0
    const joined = joinRows(rows, lookup, rejected)
    const places = stream.places && placesIn(stream.places, rows, lookup)
    return places ? { ...joined, places } : joined
  },
}

function matchesOf(step: LookupStep, stream: RowStream, input: RowStream): Match[] {
  return Object.entries(step.on).map(([from, to]) => {
    const match = { from: findColumn(stream.columns, from), to: findColumn(input.columns, to, notIn(step)) }
    if (familyOf(match.from.type) === familyOf(match.to.type)) {
      return { ...match, exactly: exactComparison(match.from.type, match.to.type) }
    }
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('lookup_types_differ', {
        from: match.from.name,
        type: match.from.type,
        to: match.to.name,
        input: step.input,
        inputType: match.to.type,
      }),
      {
        hint: runMessage('lookup_types_differ_fix'),
      },
    )
  })
}

/** Types whose values compare by what they mean. */
function familyOf(type: string): string {
  if (/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL|DOUBLE|FLOAT)/.test(type)) return 'number'
  if (/^(DATE|TIMESTAMP)/.test(type)) return 'moment'
  return type.startsWith('ENUM(') ? 'VARCHAR' : type
}

const floating = /^(DOUBLE|FLOAT)$/

/**
 * DuckDB compares a floating number with any other one as floating numbers, and takes 9007199254740993 for 9007199254740992; decimals of
 * different places it rounds when they need more than 38 digits together. One side is compared as the other's type then.
 */
function exactComparison(from: string, to: string): Match['exactly'] {
  const types = [from, to]
  if (from === to || types.every((type) => floating.test(type))) return null
  const rougher = types.find((type) => floating.test(type) || ['TIMESTAMP_NS', 'UHUGEINT'].includes(type))
  if (rougher !== undefined) return rougher === from ? { side: 'from', type: to } : { side: 'to', type: from }
  const digits = types.map(digitsOf)
  const needed = Math.max(...digits.map(({ whole }) => whole)) + Math.max(...digits.map(({ places }) => places))
  return needed <= 38 ? null : { side: 'to', type: from }
}

/** At most, of a number's type; none of others. */
function digitsOf(type: string): { whole: number; places: number } {
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(type)
  if (decimal) return { whole: Number(decimal[1]) - Number(decimal[2]), places: Number(decimal[2]) }
  if (/^HUGEINT$/.test(type)) return { whole: 39, places: 0 }
  return { whole: /INT/.test(type) ? 20 : 0, places: 0 }
}

/** SQL of a column as it is compared. */
function comparedAs({ exactly, ...columns }: Match, side: 'from' | 'to', of: string): string {
  const { name: column, type } = columns[side]
  const value = `${of}${name(column)}`
  if (exactly?.side !== side) return value
  // A floating number is the decimal that it is written as: 0.1 is 0.1.
  const written = floating.test(type) && exactly.type.startsWith('DECIMAL') ? `CAST(${value} AS VARCHAR)` : value
  const converted = `TRY_CAST(${written} AS ${exactly.type})`
  return `CASE WHEN TRY_CAST(${converted} AS ${type}) = ${value} THEN ${converted} END`
}

const notIn =
  ({ input }: LookupStep) =>
  (column: string): Message =>
    runMessage('column_unknown_in_input', { column, input })

function addedBy(step: LookupStep, input: RowStream, matches: Match[]): Lookup['added'] {
  if (step.columns === null) {
    return input.columns
      .filter((column) => !matches.some(({ to }) => to === column))
      .map((column) => ({ name: column.name, from: column }))
  }
  return Object.entries(step.columns).map(([added, from]) => ({
    name: added,
    from: findColumn(input.columns, from, notIn(step)),
  }))
}

function refuseClash(stream: RowStream, added: Lookup['added'], step: LookupStep): void {
  const taken = new Set(stream.columns.map((column) => column.name.toLowerCase()))
  const clash = added.find((column) => taken.has(column.name.toLowerCase()))
  if (clash) {
    throw new EngineError(
      'COLUMN_DUPLICATE',
      runMessage('lookup_adds_column_twice', { input: step.input, clash: clash.name }),
      {
        hint: runMessage('lookup_adds_column_twice_fix', {
          input: step.input,
          clash: clash.name,
          from: clash.from.name,
        }),
      },
    )
  }
  refuseDuplicates(added.map((column) => column.name))
}

async function hasSeveral(table: string, matches: Match[], { session }: StageContext): Promise<boolean> {
  const keys = keysOf(matches)
  const whole = keys.map((key) => `${key} IS NOT NULL`).join(' AND ')
  const [row] = await session.rows(
    `SELECT count(*) <> count(DISTINCT (${keys.join(', ')})) FROM ${name(table)} WHERE ${whole}`,
  )
  return row?.[0] === true
}

/** SQL of the input's key columns, as they are compared. */
function keysOf(matches: Match[]): string[] {
  return matches.map((match) => comparedAs(match, 'to', ''))
}

async function firstOfEach({ input, matches, context }: Lookup): Promise<string> {
  const first = context.session.newName('input')
  const { table, at } = await numberRows(input.table, input.columns, context)
  const keys = keysOf(matches).join(', ')
  await context.session.createTable(
    first,
    `SELECT * FROM ${name(table)} WHERE ${at} IN (SELECT min(${at}) FROM ${name(table)} GROUP BY ${keys})`,
  )
  return first
}

function condition(matches: Match[]): string {
  return matches.map((match) => `${comparedAs(match, 'from', 's.')} = ${comparedAs(match, 'to', 'i.')}`).join(' AND ')
}

/** The rows that find nothing. */
function missing(rows: string, { table, matches }: Lookup, select: string): string {
  return `SELECT ${select} FROM (${rows}) s ANTI JOIN ${name(table)} i ON ${condition(matches)}`
}

/** `country = SE, year = NULL`, of a row. */
function shownKey(matches: Match[]): string {
  return matches
    .map(
      ({ from }) => `${text(`${from.name} = `)} || coalesce(left(CAST(s.${name(from.name)} AS VARCHAR), 200), 'NULL')`,
    )
    .join(` || ', ' || `)
}

async function refuseSeveral(rows: RowStream, lookup: Lookup): Promise<void> {
  const { step, table, matches, context } = lookup
  const keys = keysOf(matches)
  const fields = keys.map((key, at) => `${key} AS key_${at}`).join(', ')
  const several = `SELECT ${fields}, count(*) AS found FROM ${name(table)} GROUP BY ${keys.join(', ')} HAVING count(*) > 1`
  const same = matches.map((match, at) => `${comparedAs(match, 'from', 's.')} = i.key_${at}`).join(' AND ')
  const [row] = await context.session.rows(
    `SELECT ${shownKey(matches)}, i.found FROM (${rows.sql}) s JOIN (${several}) i ON ${same} LIMIT 1`,
  )
  if (!row) return
  throw new EngineError(
    'KEY_NOT_UNIQUE',
    runMessage('lookup_many_rows', { input: step.input, count: Number(row[1]), key: String(row[0]) }),
    { hint: runMessage('lookup_many_rows_fix') },
  )
}

async function refuseMissing(rows: RowStream, lookup: Lookup): Promise<void> {
  const { step, matches, context } = lookup
  const [row] = await context.session.rows(
    `SELECT count(*), first(shown) FROM (${missing(rows.sql, lookup, `${shownKey(matches)} AS shown`)})`,
  )
  const count = Number(row?.[0] ?? 0)
  if (count === 0) return
  throw new EngineError(
    'VALUE_INVALID',
    runMessage('lookup_finds_nothing', {
      count,
      rows: rows.rows ?? count,
      input: step.input,
      example: String(row?.[1]),
    }),
    { hint: runMessage('lookup_finds_nothing_fix') },
  )
}

async function rejectMissing(rows: RowStream, lookup: Lookup, places: Places | undefined): Promise<number> {
  const { step, matches, context } = lookup
  const [table, at, reason] = ['missing', 'at', 'reason'].map((kind) => context.session.newName(kind)) as [
    string,
    string,
    string,
  ]
  const why = messageSql('lookup_found_nothing', { input: param(step.input), key: shownKey(matches) })
  await context.session.createTable(table, missing(numbered(rows, at), lookup, `s.*, ${why} AS ${name(reason)}`))
  const columns = rows.columns.map((column) => column.name)
  return rejectRows({ table, at: name(at), reason: name(reason), columns, shown: 'as here' }, places, context)
}

/** SQL of the rows with their numbers, from 0. */
function numbered(rows: RowStream, at: string): string {
  return `SELECT *, row_number() OVER () - 1 AS ${name(at)} FROM (${rows.sql})`
}

/** The rows that find something, or all of them. */
function placesIn(places: Places, rows: RowStream, { step, table, matches, context }: Lookup): Places {
  if (step.on_missing === 'null' || step.on_missing === 'fail') return places
  const numbers = `SELECT s.${name(numberColumn)} FROM (${numbered(rows, numberColumn)}) s SEMI JOIN ${name(table)} i ON ${condition(matches)} ORDER BY s.${name(numberColumn)}`
  return placesAmong(places, { numbers, decidedBy: places.calls }, context.session)
}

/** A join gives its rows in any order, so they are put back into theirs. */
function joinRows(rows: RowStream, lookup: Lookup, rejected: number): RowStream {
  const { step, table, matches, added, context } = lookup
  const at = context.session.newName('at')
  const fields = [
    ...rows.columns.map((column) => `s.${name(column.name)}`),
    ...added.map((column) => `i.${name(column.from.name)} AS ${name(column.name)}`),
  ]
  const columns = [...rows.columns, ...added.map((column) => ({ name: column.name, type: column.from.type }))]
  const join = step.on_missing === 'null' ? 'LEFT JOIN' : 'JOIN'
  const sql = `SELECT ${fields.join(', ')} FROM (${numbered(rows, at)}) s ${join} ${name(table)} i ON ${condition(matches)} ORDER BY s.${name(at)}`
  if (step.on_missing === 'drop') return resized(rows, context.stage, 'query', sql, columns)
  const joined = mapped(rows, context.stage, sql, columns)
  return { ...joined, rows: rows.rows === null ? null : rows.rows - rejected }
}
