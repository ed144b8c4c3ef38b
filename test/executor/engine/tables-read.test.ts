import { describe, expect, it } from 'vitest'
import { openSession } from '../../../src/executor/engine/duckdb.ts'
import { commonTables, parse, walk } from '../../../src/executor/engine/user-sql.ts'
import { scanSql } from '../../../src/language/sql/scan-sql.ts'
import { tablesRead } from '../../../src/language/sql/tables-read.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { temporaryFolder } from './run-task.ts'

/** As DuckDB's own parser sees it: tables of plain names that no WITH has made. */
async function asDuckDbReads(sql: string): Promise<string[]> {
  const session = await openSession({
    tempDir: temporaryFolder(),
    directories: [],
    attach: [],
    signal: new AbortController().signal,
  })
  const statement = await parse(session, sql, sql)
  await session.close(true)
  const made = new Set(commonTables(statement))
  const found: string[] = []
  walk(statement, (node) => {
    if (node['type'] === 'BASE_TABLE' && node['schema_name'] === '') found.push(String(node['table_name']))
  })
  return found.filter((table) => !made.has(table.toLowerCase()) && !table.includes('/'))
}

describe('tables that SQL reads are found as DuckDB finds them', () => {
  it.each([
    'SELECT * FROM straem',
    'SELECT a, b FROM stream s, other o, unnest(s.items) u WHERE s.a = o.a',
    'SELECT * FROM stream JOIN b USING (x, y) LEFT JOIN "C d" c ON c.x = b.x AND c.y IN (SELECT y FROM e, f)',
    'SELECT * FROM (stream CROSS JOIN b) t, (SELECT 1 FROM c) d',
    'WITH a AS (SELECT * FROM stream), b(x, y) AS MATERIALIZED (SELECT 1, 2 FROM c) SELECT * FROM a, b, d',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n, stream',
    "SELECT extract(year FROM day), substring(name FROM 2), trim(BOTH 'x' FROM name) FROM stream",
    'SELECT a IS DISTINCT FROM b, c IS NOT DISTINCT FROM d FROM stream',
    'SELECT DISTINCT a FROM stream UNION ALL SELECT b FROM other EXCEPT SELECT c FROM third ORDER BY 1, 2',
    'FROM stream SELECT a, b WHERE a > 1',
    'FROM stream',
    'TABLE other',
    'SELECT count(*) FILTER (WHERE a > 1), sum(a) OVER (PARTITION BY b ORDER BY c) FROM stream GROUP BY ALL',
    'SELECT * FROM stream ASOF JOIN prices p ON stream.day >= p.day',
    'SELECT * FROM stream, LATERAL (SELECT stream.a + 1 AS b FROM lookup) x',
    'SELECT * FROM range(5) r(i), stream TABLESAMPLE 10 PERCENT',
    'SELECT * FROM main.stream, other',
    'SELECT (SELECT max(a) FROM other o WHERE o.b = s.b) AS m FROM stream s WHERE EXISTS (FROM third)',
    'SELECT * FROM (VALUES (1, 2), (3, 4)) v(a, b), stream',
    'SELECT a FROM stream WINDOW w AS (PARTITION BY b) QUALIFY row_number() OVER w = 1',
    'SELECT CASE WHEN a THEN [x FOR x IN b IF x > 1] END, {k: a}, a::text FROM stream',
    'SELECT * FROM s: stream, o: other',
    'SELECT * FROM stream POSITIONAL JOIN other',
    'SELECT struct_pack(a := 1, b := 2) FROM stream SEMI JOIN x ON true ANTI JOIN y ON true',
  ])('%s', async (sql) => {
    const found = tablesRead(
      sql,
      scanSql(sql, 'duckdb').filter(({ kind }) => kind !== 'comment'),
    )
    expect(found.map(({ name }) => name).toSorted()).toEqual((await asDuckDbReads(sql)).toSorted())
  })
})

const diagnosticsOf = (step: string) =>
  parseTask(`etl: 1
kind: pipeline
name: t
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
inputs: {names: {inline: {rows: [{id: 1}]}}}
source: {connector: in, files: {glob: a.csv}}
steps: [${step}]
target: {connector: out, file: {path: b.csv}}
`).diagnostics.filter(({ path }) => path?.startsWith('steps'))

describe('a table that is not there', () => {
  it('is an error at its place, with the name that is meant', () => {
    const step = '{sql: SELECT * FROM straem JOIN nmes USING (id)}'
    expect(diagnosticsOf(step)).toMatchObject([
      {
        code: 'sql_unknown_table',
        severity: 'error',
        line: 7,
        column: 9 + step.indexOf('straem'),
        hint: 'Did you mean `stream`?',
      },
      {
        code: 'sql_unknown_table',
        severity: 'error',
        line: 7,
        column: 9 + step.indexOf('nmes'),
        hint: 'Did you mean `names`?',
      },
    ])
    expect(diagnosticsOf('{sql: SELECT * FROM Stream JOIN "NAMES" USING (id)}')).toEqual([])
  })

  it('is told of an expression, which reads none', () => {
    expect(diagnosticsOf('{filter: "id IN (SELECT id FROM names)"}')).toMatchObject([
      { code: 'sql_unknown_table', message: 'There is no table `names` here.' },
    ])
    expect(diagnosticsOf('{filter: "id IN (WITH w AS (SELECT 1 AS id) SELECT id FROM w)"}')).toEqual([])
  })
})
