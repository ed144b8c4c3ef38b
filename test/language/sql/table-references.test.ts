import { expect, test } from 'vitest'
import type { SqlDialect } from '../../../src/language/sql/scan-sql.ts'
import { tableReferences } from '../../../src/language/sql/table-references.ts'

function said(sql: string, dialect: SqlDialect = 'postgres'): string {
  const { tables, hidden } = tableReferences(sql, dialect)
  const words = tables.map(
    ({ access, path, temporary }) => `${access}${temporary ? ' temporary' : ''} ${path.join('.')}`,
  )
  return [...words, ...(hidden ? ['hidden'] : [])].join(', ')
}

test.each([
  ['SELECT 1', ''],
  ['SELECT * FROM orders', 'read orders'],
  [
    'SELECT * FROM Sales."Order Lines" l, b JOIN c USING (id) WHERE x IN (SELECT y FROM d)',
    'read sales.Order Lines, read b, read c, read d',
  ],
  ['WITH recent AS (SELECT * FROM orders) SELECT * FROM recent JOIN countries ON true', 'read orders, read countries'],
  ['SELECT extract(year FROM day), a IS DISTINCT FROM b FROM ONLY events', 'read events'],
  ["SELECT 'FROM x' -- FROM y\nFROM z /* FROM q */", 'read z'],
  ['SELECT * FROM (a JOIN b ON true), LATERAL (SELECT * FROM c) d', 'read a, read b, read c'],
  ['SELECT * FROM generate_series(1, 3)', ''],
  ['SELECT * FROM report(1)', 'hidden'],
  ['SELECT 1 FROM a UNION ALL SELECT 2 FROM b ORDER BY 1', 'read a, read b'],
  ['INSERT INTO t (a, b) SELECT a, b FROM s', 'write t, read s'],
  ["INSERT INTO t VALUES (1, 'from x') ON CONFLICT (a) DO UPDATE SET b = excluded.b", 'write t'],
  ['WITH x AS (DELETE FROM q WHERE true RETURNING *) INSERT INTO log SELECT * FROM x', 'write q, write log'],
  ['UPDATE t SET a = s.a FROM s WHERE s.id = t.id', 'write t, read s'],
  ['DELETE FROM staging USING done d WHERE d.id = staging.id', 'write staging, read done'],
  [
    'MERGE INTO t USING (SELECT * FROM s) x ON x.id = t.id WHEN MATCHED THEN UPDATE SET a = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1)',
    'write t, read s',
  ],
  ['CREATE TABLE IF NOT EXISTS app.daily AS SELECT * FROM orders', 'write app.daily, read orders'],
  ['CREATE OR REPLACE VIEW v AS (SELECT * FROM a)', 'write v, read a'],
  ['CREATE TABLE t (a int, b int GENERATED ALWAYS AS (a + 1) STORED)', 'write t'],
  ['CREATE TEMP TABLE part AS SELECT * FROM a', 'write temporary part, read a'],
  ['TRUNCATE TABLE t', 'write t'],
  ['REFRESH MATERIALIZED VIEW CONCURRENTLY totals', 'write totals'],
  ['CREATE INDEX i ON t (a)', ''],
  ['DROP TABLE t', ''],
  ['VACUUM t', ''],
  ['CALL rebuild()', 'hidden'],
  ["COPY t FROM 'x.csv'", 'hidden'],
  ['', ''],
])('%s', (sql, expected) => {
  expect(said(sql)).toBe(expected)
})

test('names are read as each database writes them', () => {
  expect(said('SELECT * FROM `my orders` JOIN shop.`b`', 'mysql')).toBe('read my orders, read shop.b')
  expect(said('UPDATE a STRAIGHT_JOIN b SET a.x = b.x', 'mysql')).toBe('write a, read b')
  expect(said('REPLACE INTO [my t] SELECT * FROM "Other"', 'sqlite')).toBe('write my t, read Other')
  expect(said('INSERT OR REPLACE INTO t SELECT * FROM s', 'sqlite')).toBe('write t, read s')
  expect(said("FROM 'orders.csv' SELECT *", 'duckdb')).toBe('hidden')
  expect(said('INSERT INTO t FROM s', 'duckdb')).toBe('write t, read s')
  expect(said('SELECT * FROM Orders', 'duckdb')).toBe('read Orders')
})

test('hostile text ends, and soon', () => {
  for (const sql of [
    '(',
    ')))',
    'SELECT * FROM',
    'INSERT INTO',
    'UPDATE',
    '('.repeat(20_000),
    'a AS ('.repeat(5_000),
    'FROM '.repeat(20_000),
  ]) {
    const begun = performance.now()
    tableReferences(sql, 'postgres')
    expect(performance.now() - begun).toBeLessThan(1000)
  }
})
