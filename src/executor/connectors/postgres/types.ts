import type pg from 'pg'
import type { ColumnOrigin, PrimaryKey } from '../../engine/column-origin.ts'

/**
 * SQL of what a type is made of, as far as databases may differ in it; NULL for PostgreSQL's own types, but for money, whose values say no
 * currency. `e`: the row of `pg_type`, of a list that of its elements.
 */
export function typeMade(e: string): string {
  return `CASE WHEN ${e}.oid = 'money'::regtype THEN current_setting('lc_monetary')
    WHEN ${e}.typnamespace <> 'pg_catalog'::regnamespace THEN concat_ws(' ', ${e}.typtype,
      (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = ${e}.oid),
      CASE WHEN ${e}.typtype = 'd' THEN format_type(${e}.typbasetype, ${e}.typtypmod) || ' ' || ${e}.typnotnull
        || coalesce((SELECT string_agg(pg_get_constraintdef(oid), ', ' ORDER BY conname) FROM pg_constraint WHERE contypid = ${e}.oid), '') END,
      (SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
        WHERE ${e}.typrelid <> 0 AND attrelid = ${e}.typrelid AND attnum > 0 AND NOT attisdropped),
      (SELECT format_type(rngsubtype, NULL) FROM pg_range WHERE rngtypid = ${e}.oid),
      (SELECT extname FROM pg_depend d JOIN pg_extension x ON x.oid = d.refobjid
        WHERE d.classid = 'pg_type'::regclass AND d.objid = ${e}.oid AND d.deptype = 'e')) END`
}

/** SQL of a type as any database that has it understands: with its schema where it is none of PostgreSQL's own. `shown`: as `format_type` has it. */
export function typeDeclared(shown: string, y: string, e: string): string {
  return `CASE WHEN ${e}.typnamespace = 'pg_catalog'::regnamespace THEN ${shown} ELSE
    (SELECT quote_ident(nspname) FROM pg_namespace WHERE oid = ${e}.typnamespace) || '.' || quote_ident(${e}.typname)
      || coalesce(substring(${shown} FROM '\\([^()"]*\\)'), '') || CASE WHEN ${y}.oid <> ${e}.oid THEN '[]' ELSE '' END END`
}

/** What only the table says of its columns, by name: domains (an answer names the type that they are made of), NOT NULL, the primary key. */
export async function tableConstraints(
  client: pg.Client,
  schema: string,
  table: string,
): Promise<Map<string, Omit<ColumnOrigin, 'database' | 'name'>>> {
  const { rows } = await client.query<{
    name: string
    type: string
    declared: string
    made: string | null
    not_null: string
    place: string | null
  }>(
    `SELECT a.attname AS name, s.type, ${typeDeclared('s.type', 'y', 'e')} AS declared, ${typeMade('e')} AS made,
       a.attnotnull::text AS not_null, array_position(k.conkey, a.attnum)::text AS place
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_type y ON y.oid = a.atttypid CROSS JOIN format_type(a.atttypid, a.atttypmod) AS s(type)
       JOIN pg_type e ON e.oid = CASE WHEN y.typcategory = 'A' AND y.typelem <> 0 THEN y.typelem ELSE y.oid END
       LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
    [schema, table],
  )
  const inKey = rows.filter(({ place }) => place !== null)
  const columns = inKey.toSorted((a, b) => Number(a.place) - Number(b.place)).map(({ name }) => name)
  const key: PrimaryKey | null = columns.length === 0 ? null : { columns, lost: null }
  return new Map(
    rows.map(({ name, type, declared, made, not_null, place }) => [
      name,
      { type, declared, made, notNull: not_null === 'true', key: place === null ? null : key },
    ]),
  )
}
