// Foreign keys of tables, as each system's own catalog has them.
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { ResourceDetail } from '../../../src/contract/connectors.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { hasMariaDb, startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { duckFile } from '../engine/duckdb-fixture.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import { temporaryFolder } from '../engine/run-task.ts'

async function describeTable(connector: BoundConnector, name: string): Promise<ResourceDetail> {
  const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
  const answer = await runCall({ kind: 'get_resource', connector, name }, io)
  if (answer.kind !== 'get_resource') throw new Error('another kind of answer')
  return answer.value
}
/** `table(columns → references)` of what it refers to, and of what refers to it. */
async function keysOf(connector: BoundConnector, name: string) {
  const { foreign_keys = [], referenced_by = [] } = await describeTable(connector, name)
  const written = (keys: typeof foreign_keys) =>
    keys.map(({ table, columns, references }) => `${table}(${columns.join()} → ${references.join()})`)
  return [written(foreign_keys), written(referenced_by)]
}

const tables = `
  CREATE TABLE parents (a INT NOT NULL, b INT NOT NULL, boss_a INT, boss_b INT, PRIMARY KEY (a, b),
    FOREIGN KEY (boss_b, boss_a) REFERENCES parents (b, a));
  CREATE TABLE children (id INT PRIMARY KEY, x INT, y INT, FOREIGN KEY (y, x) REFERENCES parents (b, a))`
const uniqueBa = 'CREATE UNIQUE INDEX ba ON parents (b, a)'

async function expectComposite(connector: BoundConnector): Promise<void> {
  expect(await keysOf(connector, 'children')).toEqual([['parents(y,x → b,a)'], []])
  const [own, others] = await keysOf(connector, 'parents')
  expect(own).toEqual(['parents(boss_b,boss_a → b,a)'])
  expect(others?.toSorted()).toEqual(['children(y,x → b,a)', 'parents(boss_b,boss_a → b,a)'])
}

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  test('keys of several columns, of other schemas, and of partitions are each listed once', async () => {
    await database.query(
      tables.replace('boss_b INT, PRIMARY KEY (a, b)', 'boss_b INT, PRIMARY KEY (a, b), UNIQUE (b, a)'),
    )
    await expectComposite(database.connector())
    await database.query(
      `DROP SCHEMA IF EXISTS "Far.away" CASCADE; CREATE SCHEMA "Far.away";
       CREATE TABLE "Far.away"."o""dd" ("i d" int PRIMARY KEY);
       CREATE TABLE parts (id int PRIMARY KEY, odd int REFERENCES "Far.away"."o""dd") PARTITION BY RANGE (id);
       CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
       CREATE TABLE of_parts (part int REFERENCES parts)`,
    )
    expect(await keysOf(database.connector(), 'parts')).toEqual([
      ['"Far.away"."o""dd"(odd → i d)'],
      ['of_parts(part → id)'],
    ])
    expect(await keysOf(database.connector(), 'of_parts')).toEqual([['parts(part → id)'], []])
    const [, others] = await keysOf(database.connector(), '"Far.away"."o""dd"')
    expect(others).toContain('parts(odd → i d)')
    // What is listed is a name that can be opened.
    expect((await describeTable(database.connector(), '"Far.away"."o""dd"')).columns).toMatchObject([{ name: 'i d' }])
  })
})

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  let server: MariaDbServer
  beforeAll(async () => void (server = await startMariaDb()))
  afterAll(() => server?.stop())
  test('keys of several columns, and of other databases', async () => {
    const client = await server.connect()
    await client.query(tables.replace('PRIMARY KEY (a, b)', 'PRIMARY KEY (a, b), UNIQUE KEY (b, a)'))
    const { host, port, database, user, password } = server
    const config = { host, port, database, user }
    const connector = { id: 9, name: 'shop', type: 'mysql', config, secrets: { password } }
    await expectComposite(connector)
    await client.query(
      'CREATE DATABASE `far.away`; CREATE TABLE `far.away`.`o``dd` (id INT PRIMARY KEY); CREATE TABLE near (odd INT, FOREIGN KEY (odd) REFERENCES `far.away`.`o``dd` (id))',
    )
    await client.query(`GRANT SELECT ON \`far.away\`.* TO '${user}'@'%'`)
    expect(await keysOf(connector, 'near')).toEqual([['"far.away"."o`dd"(odd → id)'], []])
    expect(await keysOf(connector, '"far.away"."o`dd"')).toEqual([[], ['near(odd → id)']])
    await client.end()
  })
})

test('SQLite: keys that name no columns refer to the primary key, in any case of letters; a missing table stays named', async () => {
  const path = join(temporaryFolder(), 'keys.db')
  const db = new Database(path)
  db.exec(
    `${tables}; ${uniqueBa};
     CREATE TABLE "o'dd ""x" (id INTEGER PRIMARY KEY);
     CREATE TABLE near (odd REFERENCES "O'DD ""X", x INT, y INT, lost REFERENCES gone (id), nowhere REFERENCES gone, FOREIGN KEY (x, y) REFERENCES parents)`,
  )
  db.close()
  const connector = { id: 9, name: 'shop', type: 'sqlite', config: { path }, secrets: {} }
  expect(await keysOf(connector, 'children')).toEqual([['parents(y,x → b,a)'], []])
  const [own] = await keysOf(connector, 'near')
  expect(own?.toSorted()).toEqual([`gone(lost → id)`, `o'dd "x(odd → id)`, 'parents(x,y → a,b)'])
  const [, others] = await keysOf(connector, 'parents')
  expect(others?.toSorted()).toEqual(['children(y,x → b,a)', 'near(x,y → a,b)', 'parents(boss_b,boss_a → b,a)'])
})

test('DuckDB: keys of several columns', async () => {
  const file = duckFile()
  await file.sql(tables.replace('PRIMARY KEY (a, b)', 'PRIMARY KEY (a, b), UNIQUE (b, a)'))
  await expectComposite(file.bound)
  await file.sql(
    'CREATE SCHEMA s; CREATE TABLE s.p (i INT PRIMARY KEY); CREATE TABLE s.c (p INT REFERENCES s.p (i)); CREATE TABLE p (i INT PRIMARY KEY)',
  )
  expect(await keysOf(file.bound, 's.c')).toEqual([['s.p(p → i)'], []])
  expect(await keysOf(file.bound, 's.p')).toEqual([[], ['s.c(p → i)']])
  expect(await keysOf(file.bound, 'p')).toEqual([[], []])
})
