import type pg from 'pg'
import type { PgTable } from './table.ts'

/** What keeps a column from being given another type, with how it is removed and made again. */
export interface Dependent {
  /** For people: `view app.totals`. */
  what: string
  drop: string
  make: string[]
}

/** SQL of owner, rights and comments of a relation `v` of `pg_class`, as a JSON array of statements. `kind`: VIEW or MATERIALIZED VIEW. */
const viewExtras = `(SELECT json_agg(s) FROM (
    SELECT format('ALTER %s %s OWNER TO %I', v.kind, v.shown, pg_get_userbyid(v.relowner)) AS s WHERE pg_get_userbyid(v.relowner) <> current_user
    UNION ALL SELECT format('COMMENT ON %s %s IS %L', v.kind, v.shown, obj_description(v.oid, 'pg_class')) WHERE obj_description(v.oid, 'pg_class') IS NOT NULL
    UNION ALL SELECT format('COMMENT ON COLUMN %s.%I IS %L', v.shown, attname, col_description(v.oid, attnum)) FROM pg_attribute
      WHERE attrelid = v.oid AND attnum > 0 AND col_description(v.oid, attnum) IS NOT NULL
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = v.oid
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = v.oid AND NOT tgisinternal
    UNION ALL SELECT pg_get_ruledef(oid) FROM pg_rewrite WHERE ev_class = v.oid AND rulename <> '_RETURN'
    UNION ALL SELECT format('GRANT %s ON %s TO %s%s', g.privilege_type, v.shown, CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END,
      CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) FROM aclexplode(v.relacl) g WHERE g.grantee <> v.relowner
  ) AS extras)`

/**
 * Objects that depend on columns of a table, in the order in which they can be dropped: views (also those over such views), policies,
 * triggers, foreign keys (also those of other tables), other constraints, indexes, computed columns.
 */
export async function dependentsOf(
  client: pg.Client,
  { sql }: PgTable,
  columns: readonly string[],
): Promise<Dependent[]> {
  const { rows } = await client.query<{ what: string; drop: string; make: string; more: string | null }>(
    `WITH RECURSIVE direct AS (
       SELECT DISTINCT classid, objid FROM pg_depend JOIN pg_attribute a ON attrelid = refobjid AND attnum = refobjsubid
       WHERE refclassid = 'pg_class'::regclass AND refobjid = $1::regclass AND a.attname = ANY ($2::text[]) AND deptype IN ('n', 'a')
     ), views AS (
       SELECT ev_class AS id, 1 AS depth FROM direct JOIN pg_rewrite r ON classid = 'pg_rewrite'::regclass AND r.oid = objid WHERE ev_class <> $1::regclass
       UNION
       SELECT r.ev_class, depth + 1 FROM views JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = views.id
         AND d.classid = 'pg_rewrite'::regclass JOIN pg_rewrite r ON r.oid = d.objid WHERE r.ev_class <> views.id
     ), v AS (
       SELECT c.*, oid::regclass::text AS shown, CASE relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END AS kind,
         (SELECT max(depth) FROM views WHERE id = c.oid) AS depth FROM pg_class c WHERE oid IN (SELECT id FROM views)
     ), found AS (
       SELECT 1 AS turn, -depth AS nth, format('%s %s', lower(kind), shown) AS what, format('DROP %s %s', kind, shown) AS drop,
         format('CREATE %s %s%s AS %s', kind, shown, coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', ''), pg_get_viewdef(oid)) AS make,
         ${viewExtras}::text AS more FROM v
       UNION ALL
       SELECT 2, 0, format('policy %I', polname), format('DROP POLICY %I ON %s', polname, polrelid::regclass),
         format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', polname, polrelid::regclass, CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
           CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
           (SELECT string_agg(CASE WHEN role = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(role)) END, ', ') FROM unnest(polroles) AS role),
           coalesce(' USING (' || pg_get_expr(polqual, polrelid) || ')', ''), coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')', '')), NULL
         FROM direct JOIN pg_policy p ON classid = 'pg_policy'::regclass AND p.oid = objid
       UNION ALL
       SELECT 2, 0, format('trigger %I', tgname), format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass), pg_get_triggerdef(t.oid),
         (SELECT json_agg(format('COMMENT ON TRIGGER %I ON %s IS %L', tgname, tgrelid::regclass, d)) FROM obj_description(t.oid, 'pg_trigger') d WHERE d IS NOT NULL)::text
         FROM direct JOIN pg_trigger t ON classid = 'pg_trigger'::regclass AND t.oid = objid WHERE NOT tgisinternal
       UNION ALL
       SELECT CASE contype WHEN 'f' THEN 3 ELSE 4 END, 0, format('constraint %I of %s', conname, conrelid::regclass),
         format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)),
         (SELECT json_agg(format('COMMENT ON CONSTRAINT %I ON %s IS %L', conname, conrelid::regclass, d)) FROM obj_description(c.oid, 'pg_constraint') d WHERE d IS NOT NULL)::text
         FROM direct JOIN pg_constraint c ON classid = 'pg_constraint'::regclass AND c.oid = objid WHERE contype IN ('c', 'f', 'p', 'u', 'x')
       UNION ALL
       SELECT 5, 0, format('index %s', i.indexrelid::regclass), format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid),
         (SELECT json_agg(format('COMMENT ON INDEX %s IS %L', i.indexrelid::regclass, d)) FROM obj_description(i.indexrelid, 'pg_class') d WHERE d IS NOT NULL)::text
         FROM direct JOIN pg_index i ON classid = 'pg_class'::regclass AND i.indexrelid = objid
       UNION ALL
       SELECT 6, 0, format('column %I', attname), format('ALTER TABLE %s DROP COLUMN %I', attrelid::regclass, attname),
         format('ALTER TABLE %s ADD COLUMN %I %s GENERATED ALWAYS AS (%s) STORED', attrelid::regclass, attname, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)),
         (SELECT json_agg(format('COMMENT ON COLUMN %s.%I IS %L', attrelid::regclass, attname, d)) FROM col_description(attrelid, attnum) d WHERE d IS NOT NULL)::text
         FROM direct JOIN pg_attrdef e ON classid = 'pg_attrdef'::regclass AND e.oid = objid
           JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE attgenerated <> ''
     )
     SELECT what, drop, make, more FROM found ORDER BY turn, nth, what`,
    [sql, columns],
  )
  return rows.map(({ what, drop, make, more }) => ({
    what,
    drop,
    make: [make, ...(more === null ? [] : (JSON.parse(more) as string[]))], // as the query builds it
  }))
}
