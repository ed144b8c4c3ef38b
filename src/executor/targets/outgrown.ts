import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { originOf, type StreamColumn } from '../engine/column-origin.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { name } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { placeOf } from '../formats/json/text.ts'
import type { TableColumn } from './column-plan.ts'
import { textValueOf } from './encode.ts'
import {
  databaseTypeOf,
  holds,
  isNested,
  logicalTypeOf,
  valueKindOf,
  type DatabaseType,
  type ValueKind,
} from './type-map.ts'

export interface Outgrown {
  /** The same rows, put down where they were looked at. */
  stream: RowStream
  /** Columns of the table whose type does not hold every value, though its kind does: the type that holds both, null: none is known. */
  narrow: Map<string, string | null>
}

/**
 * A declared type also sets limits: digits, places, letters. A task that lets types change asks the rows whether they keep to them; any
 * other is told by the value that does not. SQLite sets none.
 */
export async function findOutgrown(
  target: TableTarget,
  stream: RowStream,
  existing: readonly TableColumn[],
  database: DatabaseType,
  context: StageContext,
): Promise<Outgrown> {
  const tests =
    target.schema.types === 'freeze' || database === 'sqlite' ? [] : testsOf(stream.columns, existing, database)
  if (tests.length === 0) return { stream, narrow: new Map() }
  const rows = stream.table === undefined ? await context.materialise(stream) : stream
  const looks = tests.map(({ fits }) => `count(*) FILTER (NOT coalesce(${fits}, true))`)
  const [found = []] = await context.session.rows(`SELECT ${looks.join(', ')} FROM (${rows.sql})`)
  const outgrown = tests.filter((_, at) => Number(found[at]) > 0)
  // A type that widens must hold what is there; without one the value is refused.
  const changed = target.schema.types === 'widen' ? outgrown.filter(({ wider }) => wider !== null) : outgrown
  return { stream: rows, narrow: new Map(changed.map(({ column, wider }) => [column, wider])) }
}

interface Test {
  /** Of the table. */
  column: string
  /** SQL, true of values that the type holds; NULL for NULL. */
  fits: string
  wider: string | null
}

function testsOf(columns: readonly StreamColumn[], existing: readonly TableColumn[], database: DatabaseType): Test[] {
  return existing.flatMap((to): Test[] => {
    const from = columns.find((column) => column.name.toLowerCase() === to.name.toLowerCase())
    if (!from || to.generated || isNested(from.type) || originOf(from, database)?.type === to.type) return []
    // What is of another kind differs anyway.
    if (to.kind === null || !holds(to.kind, valueKindOf(from.type))) return []
    const limit = limitOf(from, to.type, database)
    return limit === null ? [] : [{ column: to.name, ...limit }]
  })
}

type Limit = Pick<Test, 'fits' | 'wider'>

function limitOf({ name: column, type }: StreamColumn, declared: string, database: DatabaseType): Limit | null {
  const value = name(column)
  const kind = valueKindOf(type)
  const text = /^(?:character|character varying|varchar|char)\((\d+)\)/i.exec(declared)?.[1]
  if (text !== undefined && database !== 'duckdb') {
    const written = textValueOf(type, value, placeOf(column))
    return { fits: `length(${written}) <= ${text}`, wider: databaseTypeOf(database, 'VARCHAR') }
  }
  const decimal = decimalOf(declared)
  if (decimal && numbers.has(kind)) return decimalLimit(value, type, decimal, database)
  const held = logicalTypeOf(database, declared)
  if (held === null) return null
  if (isMoment(held)) return isMoment(type) ? momentLimit(value, type, declared, database) : null
  if (held === type) return null
  if (wholes.has(held) && kind === 'integer' && !declared.startsWith('mediumint'))
    return {
      fits: roundTrip(value, type, held),
      wider: unsigned.test(held) ? null : databaseTypeOf(database, 'BIGINT'),
    }
  if (held === 'FLOAT' && numbers.has(kind))
    return { fits: floats(value, type, held), wider: databaseTypeOf(database, 'DOUBLE') }
  if (held === 'DOUBLE' && (kind === 'integer' || kind === 'decimal'))
    return { fits: floats(value, type, held), wider: null }
  return null
}

const numbers: ReadonlySet<ValueKind> = new Set(['boolean', 'integer', 'float', 'decimal'])
const wholes: ReadonlySet<string> = new Set(
  'TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT HUGEINT UHUGEINT'.split(' '),
)
const unsigned = /^U|^HUGEINT$/

function roundTrip(value: string, type: string, held: string): string {
  return `coalesce(TRY_CAST(TRY_CAST(${value} AS ${held}) AS ${type}) = ${value}, ${value} IS NULL)`
}

/** Floating point also has what is no number, which only floating point holds. */
function floats(value: string, type: string, held: string): string {
  const fits = roundTrip(value, type, held)
  return valueKindOf(type) === 'float' ? `(NOT isfinite(${value}) OR ${fits})` : fits
}

function decimalOf(declared: string): { digits: number; places: number } | null {
  const [, digits, places = '0'] = /^(?:numeric|decimal)\((\d+)(?:,\s*(\d+))?\)/i.exec(declared) ?? []
  return digits === undefined || Number(digits) > mostDigits || Number(places) > Number(digits)
    ? null
    : { digits: Number(digits), places: Number(places) }
}

/** Of DuckDB's decimals. */
const mostDigits = 38

function decimalLimit(
  value: string,
  type: string,
  { digits, places }: { digits: number; places: number },
  database: DatabaseType,
): Limit {
  const fits = floats(value, type, `DECIMAL(${digits},${places})`)
  if (valueKindOf(type) === 'float')
    // Up to 15 digits floating point holds every decimal.
    return {
      fits,
      wider: digits <= 15 ? databaseTypeOf(database, 'DOUBLE') : database === 'postgres' ? 'numeric' : null,
    }
  const given = decimalOf(type) ?? { digits: 39, places: 0 }
  const behind = Math.max(places, given.places)
  const all = Math.max(digits - places, given.digits - given.places) + behind
  const wider = all <= mostDigits ? databaseTypeOf(database, `DECIMAL(${all},${behind})`) : null
  return { fits, wider: wider ?? (database === 'postgres' ? 'numeric' : null) }
}

function isMoment(type: string): boolean {
  return /^TIME(STAMP(_S|_MS|_NS)?)?$/.test(type) || type === 'TIMESTAMP WITH TIME ZONE'
}

/** Fractions of a second. */
function momentLimit(value: string, type: string, declared: string, database: DatabaseType): Limit | null {
  if (database === 'duckdb') return declared === type ? null : { fits: roundTrip(value, type, declared), wider: type }
  const [, written] = /^(?:time(?:stamp)?|datetime)(?:\((\d)\))?/.exec(declared) ?? []
  const kept = written === undefined ? (database === 'mysql' ? 0 : 6) : Number(written)
  if (kept >= 6) return null
  const fraction = String.raw`regexp_extract(CAST(${value} AS VARCHAR), '\.(\d*?)0*(\D|$)', 1)`
  const whole =
    declared.startsWith('timestamp') && database === 'mysql'
      ? 'timestamp(6)'
      : databaseTypeOf(database, logicalTypeOf(database, declared) ?? type)
  return { fits: `length(${fraction}) <= ${kept}`, wider: whole }
}
