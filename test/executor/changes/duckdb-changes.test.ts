// Changes of DuckDB files through server, executor and worker, with another process's view of the file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { duckFile, type DuckFile } from '../engine/duckdb-fixture.ts'
import { type ChangeWorld, raw, startChangeWorld } from './change-world.ts'
import { describeSql } from './sql-suite.ts'

describe('DuckDB', () => {
  let world: ChangeWorld
  let file: DuckFile
  let id: number
  beforeAll(async () => {
    world = await startChangeWorld()
    file = duckFile(world.folder)
    await file.sql('CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER)')
    const { type, config, secrets } = file.bound
    id = await world.connect({ type, config, secrets })
  })
  afterAll(() => world?.close())

  describeSql({
    world: () => world,
    id: () => id,
    sql: (statement) => file.sql(statement),
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    one: 1,
    two: 2,
    odd: {
      big: { type: 'BIGINT', first: '9223372036854775807', second: '-9223372036854775808' },
      huge: { type: 'HUGEINT', first: '170141183460469231731687303715884105727', second: '0' },
      whole: { type: 'UBIGINT', first: '18446744073709551615', second: '0' },
      amount: { type: 'DECIMAL(38,10)', first: '1234567890123456789012345678.0123456789', second: '-0.1' },
      single: { type: 'FLOAT', first: '0.1', second: "'inf'" },
      part: { type: 'DOUBLE', first: "'nan'", second: "'-0.0'" },
      yes: { type: 'BOOLEAN', first: 'true', second: 'false' },
      blob: { type: 'BLOB', first: "'\\x00\\xFF'::BLOB", second: "''::BLOB" },
      day: { type: 'DATE', first: "'2024-02-29'", second: "'infinity'" },
      late: { type: 'TIME', first: "'12:34:56.123456'", second: "'00:00:00'" },
      at: { type: 'TIMESTAMP', first: "'2024-02-29 12:34:56.123456'", second: "'0044-03-15 (BC) 10:00:00'" },
      zoned: { type: 'TIMESTAMPTZ', first: "'2024-02-29 12:34:56.123456+00'", second: "'2001-01-01 00:00:00+00'" },
      fine: { type: 'TIMESTAMP_NS', first: "'2024-02-29 12:34:56.123456789'", second: "'2001-01-01'" },
      uid: {
        type: 'UUID',
        first: "'550e8400-e29b-41d4-a716-446655440000'",
        second: "'650e8400-e29b-41d4-a716-446655440000'",
      },
      doc: { type: 'JSON', first: `'{"a":  1.10}'`, second: `'[]'` },
      list: { type: 'INTEGER[]', first: '[1, NULL]', second: '[]' },
      pair: { type: 'STRUCT(a INTEGER, b VARCHAR)', first: "{'a': 1, 'b': 'x'}", second: "{'a': NULL, 'b': 'y'}" },
      kind: { type: "ENUM('a', 'b')", first: "'a'", second: "'b'" },
    },
  })

  test('a statement reaches nothing but the file', async () => {
    for (const statement of [
      "INSERT INTO people SELECT 7, content, 1 FROM read_text('/etc/passwd')",
      "UPDATE people SET name = getenv('HOME') WHERE id IN (SELECT 1 FROM '/etc/passwd')",
      'DELETE FROM people WHERE EXISTS (SELECT * FROM enable_logging())',
    ]) {
      const answer = await world.post(id, raw(statement))
      expect([statement, answer.status]).toEqual([statement, 400])
    }
  })
})
