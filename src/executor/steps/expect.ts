import type { Column } from '../../contract/common.ts'
import type { StreamColumn } from '../engine/column-origin.ts'
import type { Expectation, ExpectStep } from '../../language/task/steps/step.types.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { numberColumn, placesAmong, type Places } from '../engine/places.ts'
import { rejectRows, type Rejecting } from '../engine/reject-rows.ts'
import { messageSql, param, paramList, several } from '../engine/sql-reasons.ts'
import { emptyRelation, findColumn, name, names, text } from '../engine/sql-text.ts'
import { filteredStream, mapped, queryStream, type RowStream } from '../engine/stream.ts'
import { bindSql, checkScalar } from '../engine/user-sql.ts'
import { numberRows } from '../engine/row-numbers.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** An expectation with the SQL that says of a row that it breaks it, and why. */
interface RowRule {
  expectation: Expectation
  flag: string
  /** Over the row's columns. */
  breaks: string
  reason: string
  unique: string[] | null
}

export const expectStep: StepRunner<'expect'> = {
  kind: 'expect',
  async apply(step, stream, context) {
    const rules = await rowRules(step, stream.columns, context)
    const flags = rules.filter((rule) => rule.unique === null)
    const flagged = flags.map((rule) => `(${rule.breaks}) AS ${name(rule.flag)}`)
    const sql = `SELECT ${['*', ...flagged].join(', ')} FROM (${stream.sql})`
    const columns = [...stream.columns, ...flags.map((rule) => ({ name: rule.flag, type: 'BOOLEAN' }))]
    const first = await context.materialise(mapped(stream, context.stage, sql, columns))
    const { table, broken } = await findDuplicates(first.table, stream.columns, rules, context)
    await countBroken(table, flags, broken, context)
    const total = first.rows ?? 0
    for (const expectation of step.expectations) {
      await judge(expectation, rules, broken, { table, total, columns: stream.columns }, context)
    }
    return keepGood(table, rules, broken, { columns: stream.columns, total, places: stream.places }, context)
  },
}

async function rowRules(step: ExpectStep, columns: Column[], context: StageContext): Promise<RowRule[]> {
  const rules: RowRule[] = []
  for (const expectation of step.expectations) {
    const { rule } = expectation
    if (rule.kind === 'rows') continue
    const flag = context.session.newName('broken')
    if (rule.kind === 'check') {
      const check = await bindSql(context.session, rule.check, rule.params)
      await checkScalar(context.session, check)
      await context.session.describe(`SELECT * FROM ${emptyRelation(columns)} WHERE (${check}\n)`)
      const values = columnsIn(rule.check, columns)
      const shown = values.map((column) => `${text(`${column} = `)} || ${shownValue(column)}`).join(` || ', ' || `)
      const broken = { name: param(expectation.name), check: param(rule.check) }
      const reason =
        shown === '' ? messageSql('check_broken', broken) : messageSql('check_broken_by', { ...broken, values: shown })
      rules.push({ expectation, flag, breaks: `(${check}\n) IS NOT TRUE`, reason, unique: null })
      continue
    }
    const wanted = rule.columns.map((column) => findColumn(columns, column).name)
    if (rule.kind === 'not_null') {
      const empty = wanted.map(
        (column) =>
          `CASE WHEN ${name(column)} IS NULL THEN ${messageSql('column_empty', { column: param(column) })} END`,
      )
      rules.push({
        expectation,
        flag,
        breaks: wanted.map((column) => `${name(column)} IS NULL`).join(' OR '),
        reason: messageSql('columns_empty', { name: param(expectation.name), columns: paramList(empty) }),
        unique: null,
      })
    } else {
      const shown = wanted.map((column) => `${text(`${column} = `)} || ${shownValue(column)}`).join(` || ', ' || `)
      const reason = messageSql('row_repeated', { name: param(expectation.name), values: shown })
      rules.push({ expectation, flag, breaks: '', reason, unique: wanted })
    }
  }
  return rules
}

function shownValue(column: string): string {
  return `coalesce(left(CAST(${name(column)} AS VARCHAR), 200), 'NULL')`
}

/** Columns that a check speaks of, to be shown with their values: whole words of it. */
function columnsIn(check: string, columns: Column[]): string[] {
  const words = new Set((check.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => word.toLowerCase()))
  return columns
    .map((column) => column.name)
    .filter((column) => words.has(column.toLowerCase()))
    .slice(0, 5)
}

type Broken = Map<string, number>

/** Flags rows that repeat an earlier one, and leaves all in their order: only when there are any, for that takes a sort. */
async function findDuplicates(
  table: string,
  columns: Column[],
  rules: RowRule[],
  context: StageContext,
): Promise<{ table: string; broken: Broken }> {
  const { session } = context
  const broken: Broken = new Map()
  let at = table
  const rejects = ({ expectation }: RowRule): boolean => expectation.on_fail === 'quarantine'
  const rejecting = rules.filter((rule) => rule.unique === null && rejects(rule))
  for (const rule of rules) {
    const { unique, flag } = rule
    if (unique === null) continue
    // A row that is rejected anyway is not the one to keep: the next row with its key is.
    const whole = [
      ...unique.map((column) => `${name(column)} IS NOT NULL`),
      ...rejecting.map((other) => `NOT ${name(other.flag)}`),
    ].join(' AND ')
    const [row] = await session.rows(
      `SELECT count(*) - count(DISTINCT (${names(unique)})) FROM ${name(at)} WHERE ${whole}`,
    )
    broken.set(flag, Number(row?.[0] ?? 0))
    if (broken.get(flag) === 0) continue
    const next = session.newName('stage')
    const numbered = await numberRows(at, columns, context)
    const repeats = `row_number() OVER (PARTITION BY ${names(unique)}, (${whole}) ORDER BY ${numbered.at}) > 1 AND ${whole}`
    await session.createTable(
      next,
      `SELECT *, (${repeats}) AS ${name(flag)} FROM ${name(numbered.table)} ORDER BY ${numbered.at}`,
    )
    for (const done of new Set([at, numbered.table])) await session.run(`DROP TABLE ${name(done)}`)
    at = next
    if (rejects(rule)) rejecting.push(rule)
  }
  return { table: at, broken }
}

async function countBroken(table: string, flags: RowRule[], broken: Broken, { session }: StageContext): Promise<void> {
  if (flags.length === 0) return
  const counts = flags.map((rule) => `count(*) FILTER (${name(rule.flag)})`)
  const [row] = await session.rows(`SELECT ${counts.join(', ')} FROM ${name(table)}`)
  flags.forEach((rule, index) => broken.set(rule.flag, Number(row?.[index] ?? 0)))
}

async function judge(
  expectation: Expectation,
  rules: RowRule[],
  broken: Broken,
  rows: { table: string; total: number; columns: Column[] },
  context: StageContext,
): Promise<void> {
  const rule = rules.find((candidate) => candidate.expectation === expectation)
  const count = rule ? (broken.get(rule.flag) ?? 0) : 0
  const message = rule ? rowsMessage(rule, count, rows.total) : countMessage(expectation, rows.total)
  if (message === null) return
  const first = rule ? await sampleOf(rule, rows, context) : null
  const whole = first === null ? message : runMessage('expectation_failed_first', { cause: message, row: first })
  if (expectation.on_fail === 'fail') {
    throw new EngineError('EXPECTATION_FAILED', whole, { hint: runMessage('expectation_failed_fix') })
  }
  if (expectation.on_fail === 'warn') context.warn(whole)
  else context.log('info', message.message)
}

function rowsMessage({ expectation }: RowRule, count: number, total: number): Message | null {
  if (count === 0) return null
  const { rule } = expectation
  const ruleText =
    rule.kind === 'check' ? rule.check : 'columns' in rule ? `${rule.kind} ${listNames(rule.columns)}` : rule.kind
  return runMessage('expectation_broken', { name: expectation.name, count, rows: total, rule: ruleText })
}

function countMessage({ name: called, rule }: Expectation, total: number): Message | null {
  if (rule.kind !== 'rows') return null
  const { min, max } = rule
  if (min !== null && total < min) return runMessage('too_few_rows', { name: called, rows: total, min })
  return max !== null && total > max ? runMessage('too_many_rows', { name: called, rows: total, max }) : null
}

async function sampleOf(
  rule: RowRule,
  rows: { table: string; columns: Column[] },
  { session }: StageContext,
): Promise<string | null> {
  const shown = names(rows.columns.slice(0, 30).map((column) => column.name))
  const [row] = await session.rows(
    `SELECT CAST(to_json(r) AS VARCHAR) FROM (SELECT ${shown} FROM ${name(rows.table)} WHERE ${name(rule.flag)} LIMIT 1) r`,
  )
  return row ? String(row[0]).slice(0, 1000) : null
}

async function keepGood(
  table: string,
  rules: RowRule[],
  broken: Broken,
  rows: { columns: StreamColumn[]; total: number; places: Places | undefined },
  context: StageContext,
): Promise<RowStream> {
  const all = names(rows.columns.map((column) => column.name))
  const active = rules.filter((rule) => rule.expectation.on_fail === 'quarantine' && (broken.get(rule.flag) ?? 0) > 0)
  if (active.length === 0) {
    const same = queryStream(`SELECT ${all} FROM ${name(table)}`, rows.columns, rows.total)
    return rows.places ? { ...same, places: rows.places } : same
  }
  const any = active.map((rule) => name(rule.flag)).join(' OR ')
  const reasons = active.map((rule) => `CASE WHEN ${name(rule.flag)} THEN ${rule.reason} END`)
  const numbered = await numberRows(table, rows.columns, context)
  const rejecting: Rejecting = {
    ...numbered,
    reason: `CASE WHEN ${any} THEN ${several(reasons)} END`,
    columns: rows.columns.map((column) => column.name),
    shown: 'as here',
  }
  const rejected = await rejectRows(rejecting, rows.places, context)
  const sql = `SELECT ${all} FROM ${name(table)} WHERE NOT (${any})`
  const good = filteredStream(context.stage, sql, rows.columns, rows.total - rejected)
  if (!rows.places) return good
  const numbers = `SELECT ${numbered.at} AS ${name(numberColumn)} FROM ${name(numbered.table)} WHERE NOT (${any})`
  return { ...good, places: placesAmong(rows.places, { numbers, decidedBy: [] }, context.session) }
}
