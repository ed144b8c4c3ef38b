import type { DuckSession } from '../engine/duckdb.ts'
import { EngineError } from '../engine/errors.ts'
import { name, text } from '../engine/sql-text.ts'
import type { NumberedTable } from './row-numbers.ts'

/** What the JSON values of a column are, over all rows. */
export interface JsonShape {
  kinds: Set<JsonKind>
  /** Of its objects, in the order of their first appearance. */
  keys: Map<string, JsonShape>
}

/** `odd`: an empty object, or one that has a key twice. NULL is none. */
type JsonKind = 'integer' | 'double' | 'text' | 'boolean' | 'list' | 'object' | 'odd'

/** A JSON value inside a column: the column's expression, and the way to the value. */
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
    throw new EngineError(
      'VALUE_INVALID',
      `There are more than ${mostKeys.toLocaleString('en')} keys in the objects of ${value}`,
      {
        hint: 'The keys seem to be data. Make rows of them by `map`: $each(…, function($value, $key) {{"key": $key, "value": $value}}).',
      },
    )
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

/** Columns out of JSON values, each of one type that all its values decide. */
export async function jsonColumns(
  session: DuckSession,
  from: string,
  places: readonly JsonPlace[],
): Promise<JsonColumn[]> {
  const numeric = places.filter(({ shape }) => isNumeric(shape))
  const facts = new Map<JsonPlace, NumberFacts>()
  for (let at = 0; at < numeric.length; at += 100) {
    const group = numeric.slice(at, at + 100)
    const [row] = await session.rows(
      `SELECT ${group.flatMap((place) => factQueries(textOf(place))).join(', ')} FROM ${from}`,
    )
    group.forEach((place, index) =>
      facts.set(place, {
        digits: Number(row?.[index * 3] ?? 0),
        fits: row?.[index * 3 + 1] !== false,
        fractions: row?.[index * 3 + 2] === true,
      }),
    )
  }
  return places.map((place) => columnOf(place, facts.get(place)))
}

interface NumberFacts {
  /** Of the longest whole number. */
  digits: number
  /** Every whole number fits 64 bits. */
  fits: boolean
  /** Some number is not written as a whole one. */
  fractions: boolean
}

function factQueries(written: string): string[] {
  const whole = `regexp_full_match(${written}, '-?[0-9]+')`
  return [
    `max(length(ltrim(${written}, '-'))) FILTER (${whole})`,
    `bool_and(TRY_CAST(${written} AS BIGINT) IS NOT NULL) FILTER (${whole})`,
    `bool_or(NOT ${whole})`,
  ]
}

function isNumeric({ kinds: found }: JsonShape): boolean {
  return found.size > 0 && [...found].every((kind) => kind === 'integer' || kind === 'double')
}

function columnOf(place: JsonPlace, facts: NumberFacts | undefined): JsonColumn {
  const type = typeOf(place.shape, facts)
  if (type === 'JSON') {
    const value = `json_extract(${place.base}, ${pointer(place)})`
    return { type, sql: `CASE WHEN json_type(${value}) <> 'NULL' THEN ${value} END` }
  }
  const written = textOf(place)
  return { type, sql: type === 'VARCHAR' ? written : `CAST(${written} AS ${type})` }
}

/** No digit is lost: integers beyond 64 bits become decimals, and beside fractions, where they are long, text. */
function typeOf({ kinds: found }: JsonShape, facts: NumberFacts | undefined): string {
  if (found.has('list') || found.has('object') || found.has('odd')) return 'JSON'
  if (facts) {
    if (facts.fractions) return facts.digits <= 15 ? 'DOUBLE' : 'VARCHAR'
    if (facts.fits) return 'BIGINT'
    return facts.digits <= 38 ? 'DECIMAL(38,0)' : 'VARCHAR'
  }
  return found.size === 1 && found.has('boolean') ? 'BOOLEAN' : 'VARCHAR'
}

function textOf(place: JsonPlace): string {
  return `json_extract_string(${place.base}, ${pointer(place)})`
}

/** RFC 6901. */
function pointer({ keys }: JsonPlace): string {
  const odd = keys.find((key) => key.includes('\0'))
  if (odd !== undefined) {
    throw new EngineError('VALUE_INVALID', `A key holds a NUL character: ${JSON.stringify(odd)}`, {
      hint: 'No column can be called so. Rename the key by `map`.',
    })
  }
  return text(keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
}
