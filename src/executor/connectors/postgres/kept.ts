import type pg from 'pg'
import { typeMade } from './types.ts'
import { originOf, type StreamColumn } from '../../engine/column-origin.ts'

/** PostgreSQL's own types whose values mean the same in every database. Others (`regclass`, `aclitem` …) name what is in their own. */
const lasting =
  /^(boolean|smallint|integer|bigint|real|double precision|numeric(\(.*\))?|text|character( varying)?(\(\d+\))?|"char"|name|date|time(stamp)?(\(\d\))? with(out)? time zone|interval.*|uuid|bytea|jsonb?|jsonpath|xml|inet|cidr|macaddr8?|oid|money|bit( varying)?(\(\d+\))?|point|line|lseg|box|path|polygon|circle|tsvector|tsquery|pg_lsn|(int4|int8|num|ts|tstz|date)(multi)?range)(\[\])*$/

/** Whether the binary form of a type is the same in every PostgreSQL. */
export function isPortable(type: string): boolean {
  return lasting.test(type)
}

/**
 * Columns of a PostgreSQL source that this database can keep as they are: their types by name. A type of the source’s own must be made of
 * the same here. What cannot be kept is told.
 */
export async function keptTypes(
  client: pg.Client,
  columns: readonly StreamColumn[],
  log: (message: string) => void,
): Promise<Map<string, string>> {
  const from = columns.flatMap((column) => {
    const origin = originOf(column, 'postgres')
    return origin ? [{ column, origin }] : []
  })
  if (from.length === 0) return new Map()
  const { rows } = await client.query<{ made: string | null; there: string }>({
    text: `SELECT ${typeMade('e')} AS made, (y.oid IS NOT NULL AND y.typtype <> 'p')::text AS there
      FROM unnest($1::text[]) WITH ORDINALITY AS t(declared, at) LEFT JOIN pg_type y ON y.oid = to_regtype(declared)
      LEFT JOIN pg_type e ON e.oid = CASE WHEN y.typcategory = 'A' AND y.typelem <> 0 THEN y.typelem ELSE y.oid END ORDER BY at`,
    values: [from.map(({ origin }) => origin.declared)],
  })
  const kept = new Map<string, string>()
  from.forEach(({ column, origin }, index) => {
    const found = rows[index]
    const same = found?.there === 'true' && found.made === origin.made
    if (same && (origin.made !== null || lasting.test(origin.type))) kept.set(column.name, origin.declared)
    else
      log(
        `Column \`${column.name}\` is ${origin.type} in the source and becomes text: this database has no such type, or another one of that name`,
      )
  })
  return kept
}
