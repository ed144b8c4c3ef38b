import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector, SourceState } from '../../../src/contract/executor-protocol.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const postgres = usePostgres()
const maria = useMariaDb()

describe('a number of an argument that no integer of 64 bits holds', () => {
  const sources: Record<string, () => Promise<[BoundConnector, string]>> = {
    PostgreSQL: async () => [postgres.connector(), 'SELECT :n::float8 AS n, :doc::jsonb AS doc'],
    MariaDB: async () => [maria.connector(), 'SELECT CAST(:n AS double) AS n, :doc AS doc'],
    SQLite: async () => {
      const path = join(temporaryFolder(), 'a.db')
      new Database(path).close()
      return [sqliteConnector(path), 'SELECT :n AS n, :doc AS doc']
    },
    DuckDB: async () => {
      const { bound, sql } = duckFile()
      await sql('CREATE TABLE made AS SELECT 1 AS one')
      return [bound, 'SELECT :n::DOUBLE AS n, :doc::JSON AS doc']
    },
  }
  const given = `args: {n: {type: number}, doc: {type: json}}`
  const values = { n: 1e21, doc: { big: 1e21, list: [-1e300] } }

  async function linesOf(yaml: string, bound: Record<string, BoundConnector>): Promise<unknown[]> {
    const out = temporaryFolder()
    const run = await runTask(yaml, { ...bound, out: fileConnector(out) }, { arguments: values })
    expect(run.error).toBeUndefined()
    const lines = readFileSync(join(out, 'o.jsonl'), 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line) as unknown)
  }
  const inFull = (doc: unknown): unknown => (typeof doc === 'string' ? (JSON.parse(doc) as unknown) : doc)

  it.each(Object.keys(sources))('reaches the SQL of %s, alone and in a document', async (name) => {
    const [bound, query] = await sources[name]!()
    const [row] = (await linesOf(
      `etl: 1
kind: pipeline
name: huge
connectors: {in: {type: ${bound.type}}, out: {type: file, access: write}}
${given}
source: {connector: in, sql: {query: "${query}"}}
target: {connector: out, file: {path: o.jsonl}}
`,
      { in: bound },
    )) as { n: unknown; doc: unknown }[]
    expect(row?.n).toBe(1e21)
    expect(inFull(row?.doc)).toEqual(values.doc)
  })

  it('reaches rows of the task, expressions, and steps', async () => {
    const [row] = (await linesOf(
      `etl: 1
kind: pipeline
name: huge
connectors: {out: {type: file, access: write}}
${given}
source: {inline: {rows: [{n: "\${{ args.n }}", doc: "\${{ args.doc }}", item: "\${{ args.doc.big }}"}], columns: {doc: json}}}
steps: [{derive: {same: "n = :n", twice: ":n * 2"}}, {sql: "SELECT *, :n AS again, :doc AS whole FROM stream"}]
target: {connector: out, file: {path: o.jsonl}}
`,
      {},
    )) as Record<string, unknown>[]
    expect(row).toMatchObject({ n: 1e21, item: 1e21, same: true, twice: 2e21, again: 1e21, doc: values.doc })
    expect(inFull(row?.['whole'])).toEqual(values.doc)
  })
})

describe('a cursor on numbers that no integer of 64 bits holds', () => {
  const systems: Record<
    string,
    () => { bound: BoundConnector; exec(sql: string): Promise<unknown>; types: string[][] }
  > = {
    PostgreSQL: () => ({
      bound: postgres.connector(),
      exec: postgres.query,
      types: [
        ['numeric(30,0)', 'number'],
        ['numeric(30,2)', 'number'],
        ['numeric', 'number'],
      ],
    }),
    MariaDB: () => ({
      bound: maria.connector(),
      exec: maria.query,
      types: [
        ['bigint unsigned', 'integer'],
        ['decimal(30,0)', 'number'],
        ['decimal(30,2)', 'number'],
      ],
    }),
    DuckDB: () => {
      const { bound, sql } = duckFile()
      return {
        bound,
        exec: sql,
        types: [
          ['UBIGINT', 'integer'],
          ['HUGEINT', 'integer'],
          ['DECIMAL(30,2)', 'number'],
        ],
      }
    },
  }
  const numbers = ['9223372036854775807', '9223372036854775808', '18446744073709551614', '18446744073709551615']

  it.each(Object.keys(systems))('is kept with every digit and read on from in %s', async (name) => {
    const { bound, exec, types } = systems[name]!()
    for (const [column, type] of types) {
      await exec('DROP TABLE IF EXISTS events')
      await exec(`CREATE TABLE events (id integer, mark ${column})`)
      const out = join(temporaryFolder(), 'out.db')
      const readOn = async (state?: SourceState) => {
        const run = await runTask(
          `etl: 1
kind: pipeline
name: events
connectors: {from: {type: ${bound.type}}, db: {type: sqlite, access: write}}
state: {cursor: {field: mark, type: ${type}}}
source: {connector: from, sql: {table: events}}
steps: [{cast: {mark: string}}]
target: {connector: db, table: out, mode: replace}
`,
          { from: bound, db: sqliteConnector(out) },
          { state },
        )
        expect([column, run.error]).toEqual([column, undefined])
        return run
      }
      await exec(`INSERT INTO events VALUES (1, ${numbers[0]}), (2, ${numbers[1]})`)
      const first = await readOn()
      expect([column, first.item_count, Number(first.state?.cursor)]).toEqual([column, 2, 2 ** 63])
      expect(String(first.state?.cursor)).toMatch(/^9223372036854775808(\.0+)?$/)
      await exec(`INSERT INTO events VALUES (3, ${numbers[2]}), (4, ${numbers[3]})`)
      const second = await readOn(first.state)
      expect([column, second.item_count]).toEqual([column, 3])
      expect(String(second.state?.cursor)).toMatch(/^18446744073709551615(\.0+)?$/)
      const third = await readOn(second.state)
      expect([column, third.item_count, third.state]).toEqual([column, 1, second.state])
    }
  })
})
