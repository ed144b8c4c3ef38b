import { castText } from '../engine/cast-decimals.ts'
import { castExpression } from '../engine/casts.ts'
import type { DuckSession } from '../engine/duckdb.ts'
import { EngineError } from '../engine/errors.ts'
import { documentOf, scalarText } from '../engine/json-digits.ts'
import { name, text } from '../engine/sql-text.ts'
import type { NumberedTable } from '../engine/row-numbers.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** What the JSON values of a column are, over all rows. */
export interface JsonShape {
  kinds: Set<JsonKind>
  /** Of its objects, in the order of their first appearance. */
  keys: Map<string, JsonShape>
}

/** `odd`: an empty object, or one that has a key twice. NULL is none. */
type JsonKind = 'integer' | 'double' | 'text' | 'boolean' | 'list' | 'object' | 'odd'

/** A JSON value inside a column: SQL of the column, `withDigits`, and the way to the value. */
export interface JsonPlace {
  base: string
  keys: readonly string[]
  shape: JsonShape
}

/** A typed column made of JSON values. */
export interface JsonColumn {
  sql: string
  type: string
}

const kinds: Record<string, JsonKind> = {
  UBIGINT: 'integer',
  BIGINT: 'integer',
  HUGEINT: 'integer',
  DOUBLE: 'double',
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
  ARRAY: 'list',
  OBJECT: 'object',
  JSON: 'odd',
}

/** More keys than these are no columns any more: then the keys are data. */
const mostKeys = 2_000

export function emptyShape(): JsonShape {
  return { kinds: new Set(), keys: new Map() }
}

/** Objects and nothing else. */
export function isObject({ kinds: found }: JsonShape): boolean {
  return found.has('object') && [...found].every((kind) => kind === 'object' || kind === 'odd')
}

/**
 * Reads every row of a table once. Rows of the same structure count as one, so what comes here is little; of a table whose rows all
 * have other keys it is refused before it is too much.
 */
export async function readShape(session: DuckSession, { table, at }: NumberedTable, value: string): Promise<JsonShape> {
  const shape = emptyShape()
  let total = 0
  const count = (): void => {
    if (++total <= mostKeys) return
    throw new EngineError('VALUE_INVALID', runMessage('too_many_keys', { most: mostKeys, value }), {
      hint: runMessage('too_many_keys_fix'),
    })
  }
  const structures = `SELECT CAST(json_structure(${value}) AS VARCHAR) AS structure FROM ${name(table)} WHERE ${value} IS NOT NULL GROUP BY structure ORDER BY min(${at})`
  for await (const chunk of session.chunks(structures)) {
    for (const [structure] of chunk.getRows()) note(shape, JSON.parse(String(structure)), count)
  }
  return shape
}

/** Kinds alone, of any relation; no keys. */
export async function readKinds(session: DuckSession, from: string, value: string): Promise<JsonShape> {
  const shape = emptyShape()
  for (const [type] of await session.rows(
    `SELECT DISTINCT json_type(${value}) FROM ${from} WHERE ${value} IS NOT NULL`,
  )) {
    const kind = kinds[String(type)]
    if (kind) shape.kinds.add(kind)
  }
  return shape
}

/** `structure` is DuckDB's: a type's name, `[item]`, or an object of the keys. */
function note(shape: JsonShape, structure: unknown, count: () => void): void {
  if (Array.isArray(structure)) shape.kinds.add('list')
  else if (typeof structure === 'object' && structure !== null) {
    shape.kinds.add('object')
    for (const [key, value] of Object.entries(structure)) {
      let known = shape.keys.get(key)
      if (!known) {
        count()
        shape.keys.set(key, (known = emptyShape()))
      }
      note(known, value, count)
    }
  } else {
    const kind = kinds[String(structure)]
    if (kind) shape.kinds.add(kind)
  }
}

/** Columns out of JSON values, each of one type that all its values decide. `from`: the relation that `base` stands over. */
export async function jsonColumns(
  session: DuckSession,
  from: string,
  places: readonly JsonPlace[],
): Promise<JsonColumn[]> {
  const numeric = places.filter(({ shape }) => isNumeric(shape))
  const types = new Map<JsonPlace, string>()
  for (let at = 0; at < numeric.length; at += 100) {
    const group = numeric.slice(at, at + 100)
    const values = group.map((place, index) => `${textOf(place)} AS ${numberName(index)}`)
    const facts = group.flatMap((_, index) => factQueries(numberName(index)))
    const [row] = await session.rows(`SELECT ${facts.join(', ')} FROM (SELECT ${values.join(', ')} FROM ${from})`)
    group.forEach((place, index) => {
      const [fractions, fits, held, plain, whole, digits] = row?.slice(index * 6, index * 6 + 6) ?? []
      types.set(
        place,
        numberType({
          fractions: fractions === true,
          fits: fits !== false,
          held: held !== false,
          plain: plain !== false,
          whole: Number(whole ?? 0),
          places: Number(digits ?? 0),
        }),
      )
    })
  }
  return places.map((place) => columnOf(place, types.get(place)))
}

const numberName = (index: number): string => `headgate_number_${index}`

interface NumberFacts {
  /** Some number is not written as a whole one. */
  fractions: boolean
  /** Every one fits 64 bits. */
  fits: boolean
  /** Floating point holds every one. */
  held: boolean
  /** None has an exponent. */
  plain: boolean
  /** Most digits before and behind the point. */
  whole: number
  places: number
}

function factQueries(written: string): string[] {
  const digits = (part: number): string => `length(ltrim(split_part(${written}, '.', ${part}), '-0'))`
  const number = castExpression({ column: written, from: 'VARCHAR', type: 'number', to: 'DOUBLE' })
  return [
    `bool_or(NOT regexp_full_match(${written}, '-?[0-9]+'))`,
    `bool_and(TRY_CAST(${written} AS BIGINT) IS NOT NULL) FILTER (${written} IS NOT NULL)`,
    `bool_and((${number}) IS NOT NULL) FILTER (${written} IS NOT NULL)`,
    `bool_and(NOT regexp_matches(${written}, '[eE]'))`,
    `max(${digits(1)})`,
    `max(length(rtrim(split_part(${written}, '.', 2), '0')))`,
  ]
}

/** No digit is lost: numbers that floating point does not hold become decimals, and text where those hold them neither. */
function numberType({ fractions, fits, held, plain, whole, places }: NumberFacts): string {
  if (!fractions && fits) return 'BIGINT'
  if (fractions && held) return 'DOUBLE'
  return plain && whole + places <= 38 ? `DECIMAL(38,${places})` : 'VARCHAR'
}

function isNumeric({ kinds: found }: JsonShape): boolean {
  return found.size > 0 && [...found].every((kind) => kind === 'integer' || kind === 'double')
}

function columnOf(place: JsonPlace, number: string | undefined): JsonColumn {
  const type = number ?? typeOf(place.shape)
  if (type === 'JSON') {
    const value = `json_extract(${place.base}, ${pointer(place)})`
    return { type, sql: `CASE WHEN json_type(${value}) <> 'NULL' THEN ${documentOf(value)} END` }
  }
  const written = textOf(place)
  return { type, sql: type === 'VARCHAR' ? written : castText(written, type) }
}

function typeOf({ kinds: found }: JsonShape): string {
  if (found.has('list') || found.has('object') || found.has('odd')) return 'JSON'
  return found.size === 1 && found.has('boolean') ? 'BOOLEAN' : 'VARCHAR'
}

function textOf(place: JsonPlace): string {
  return scalarText(`json_extract_string(${place.base}, ${pointer(place)})`)
}

/** RFC 6901. */
function pointer({ keys }: JsonPlace): string {
  const odd = keys.find((key) => key.includes('\0'))
  if (odd !== undefined) {
    throw new EngineError('VALUE_INVALID', runMessage('key_has_nul', { name: JSON.stringify(odd) }), {
      hint: runMessage('key_has_nul_fix'),
    })
  }
  return text(keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
}
