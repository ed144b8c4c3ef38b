import type pg from 'pg'
import type { PgTable } from './table.ts'

/** What of a table may leave out rows on their way in, or keep rows that are deleted: `a trigger`, `a rule`; null: nothing. */
export interface PgRules {
  inserts: string | null
  updates: string | null
  deletes: string | null
}

/** Asked once per run: triggers before each row, also those of partitions and child tables, and rewrite rules. */
export async function tableRules(client: pg.Client, { sql }: PgTable): Promise<PgRules> {
  const { rows } = await client.query<{ what: string; inserts: string; updates: string; deletes: string }>(
    `WITH RECURSIVE tree AS (SELECT $1::regclass::oid AS id UNION SELECT inhrelid FROM pg_inherits JOIN tree ON inhparent = id)
     SELECT 'a trigger' AS what, bool_or(tgtype & 4 > 0)::text AS inserts, bool_or(tgtype & 16 > 0)::text AS updates, bool_or(tgtype & 8 > 0)::text AS deletes
       FROM pg_trigger JOIN tree ON tgrelid = id WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND tgtype & 3 = 3
     UNION ALL
     SELECT 'a rule', bool_or(ev_type = '3')::text, bool_or(ev_type = '2')::text, bool_or(ev_type = '4')::text
       FROM pg_rewrite WHERE ev_class = $1::regclass AND ev_enabled IN ('O', 'A')`,
    [sql],
  )
  const of = (event: 'inserts' | 'updates' | 'deletes'): string | null =>
    rows.find((row) => row[event] === 'true')?.what ?? null
  return { inserts: of('inserts'), updates: of('updates'), deletes: of('deletes') }
}
