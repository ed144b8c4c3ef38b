import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** `amount` becomes text, with two rows. */
const recreate = (bound: BoundConnector, more = ''): Promise<FinishedRun> =>
  runTask(
    `etl: 1
kind: pipeline
name: load
connectors: {db: {type: ${bound.type}, access: write}}
source: {inline: {rows: [{id: 1, amount: a}, {id: 2, amount: b}], columns: {id: integer, amount: string}}}
target: {connector: db, table: t, mode: replace, schema: {types: recreate}${more}}
`,
    { db: bound },
  )
const warnings = (run: FinishedRun): string[] =>
  run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)

describe('what depended on a table of PostgreSQL that is recreated', () => {
  const postgres = usePostgres()
  const one = async (sql: string): Promise<unknown> => Object.values((await postgres.query(sql))[0] ?? {})[0]

  it('is kept where the new types let it: views on views, indexes, keys of other tables, triggers, policies, grants, comments', async () => {
    await postgres.query(`
      DROP ROLE IF EXISTS reader; CREATE ROLE reader;
      CREATE TABLE t (id bigint PRIMARY KEY, amount integer DEFAULT 5, twice bigint GENERATED ALWAYS AS (id * 2) STORED, UNIQUE (id, amount));
      COMMENT ON TABLE t IS 'amounts'; COMMENT ON COLUMN t.amount IS 'in cents'; GRANT SELECT ON t TO reader;
      CREATE INDEX t_amount ON t (amount); CREATE INDEX t_some ON t (id) WHERE amount IS NOT NULL; COMMENT ON INDEX t_some IS 'some';
      CREATE VIEW v AS SELECT id, amount FROM t; COMMENT ON VIEW v IS 'all'; GRANT SELECT ON v TO reader;
      CREATE VIEW w WITH (security_barrier) AS SELECT v.amount, t.id FROM v JOIN t USING (id);
      CREATE MATERIALIZED VIEW m AS SELECT amount FROM w; CREATE UNIQUE INDEX m_amount ON m (amount);
      CREATE TABLE child (id bigint, amount integer, FOREIGN KEY (id) REFERENCES t (id));
      CREATE TABLE seen (n integer); CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO app.seen VALUES (1); RETURN NEW; END$$;
      CREATE TRIGGER t_note AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION note();
      CREATE TRIGGER t_changed AFTER UPDATE OF amount ON t FOR EACH ROW EXECUTE FUNCTION note();
      CREATE POLICY own ON t FOR SELECT TO reader USING (amount IS NOT NULL);
      INSERT INTO t (id, amount) VALUES (1, 10), (7, 70)`)
    const run = await recreate(postgres.connector())
    expect([run.error, warnings(run), run.status]).toEqual([undefined, [], 'success'])
    expect(await postgres.query('SELECT id::int, amount, twice::int FROM t ORDER BY id')).toEqual([
      { id: 1, amount: 'a', twice: 2 },
      { id: 2, amount: 'b', twice: 4 },
    ])
    expect(await postgres.query('SELECT amount FROM m ORDER BY 1')).toEqual([{ amount: 'a' }, { amount: 'b' }])
    expect(
      await one(
        `SELECT string_agg(indexrelid::regclass::text, ' ' ORDER BY indexrelid::regclass::text) FROM pg_index WHERE indrelid IN ('t'::regclass, 'm'::regclass)`,
      ),
    ).toBe('m_amount t_amount t_id_amount_key t_pkey t_some')
    expect(
      await one(
        `SELECT obj_description('t'::regclass) || obj_description('v'::regclass) || col_description('t'::regclass, 2) || obj_description('t_some'::regclass)`,
      ),
    ).toBe('amountsallin centssome')
    expect(
      await one(`SELECT has_table_privilege('reader', 't', 'SELECT') AND has_table_privilege('reader', 'v', 'SELECT')`),
    ).toBe(true)
    expect(await one(`SELECT reloptions::text FROM pg_class WHERE oid = 'w'::regclass`)).toBe('{security_barrier=true}')
    expect(
      await one(`SELECT count(*)::int FROM pg_constraint WHERE conrelid = 'child'::regclass AND contype = 'f'`),
    ).toBe(1)
    expect(
      await one(
        `SELECT string_agg(tgname, ' ' ORDER BY tgname) FROM pg_trigger WHERE tgrelid = 't'::regclass AND NOT tgisinternal`,
      ),
    ).toBe('t_changed t_note')
    expect(await one(`SELECT polname FROM pg_policy WHERE polrelid = 't'::regclass`)).toBe('own')
    // Two rows were there before.
    expect(await one('SELECT count(*)::int FROM seen')).toBe(4)
    expect(
      await one(`SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 't'::regclass AND adnum = 2`),
    ).toBe('5')
    await postgres.query('DROP SCHEMA app CASCADE; CREATE SCHEMA app; DROP ROLE reader')
  })

  it('is told, with its definition, where the new types leave no place for it', async () => {
    await postgres.query(`CREATE TABLE t (id bigint, amount integer CHECK (amount > 0), half integer GENERATED ALWAYS AS (amount / 2) STORED);
      CREATE VIEW total AS SELECT sum(amount) AS total FROM t; CREATE VIEW plain AS SELECT amount FROM t;
      INSERT INTO t VALUES (1, 1)`)
    const run = await recreate(postgres.connector())
    expect([run.error, run.status]).toEqual([undefined, 'completed'])
    expect(warnings(run).map((message) => message.slice(0, 65))).toEqual([
      'The new types leave no place for column half, which was removed: ',
      'The new types leave no place for constraint t_amount_check of t, ',
      'The new types leave no place for view total, which was removed: f',
    ])
    expect(warnings(run)[2]).toContain('SELECT sum(t.amount) AS total')
    expect(await postgres.query('SELECT amount FROM plain ORDER BY 1')).toEqual([{ amount: 'a' }, { amount: 'b' }])
  })

  it('leaves columns alone whose types hold the rows', async () => {
    await postgres.query(`CREATE TABLE t (id numeric, amount varchar(9), other date DEFAULT '2024-01-01')`)
    const run = await recreate(postgres.connector())
    expect(run.error).toBeUndefined()
    expect(
      await one(
        `SELECT string_agg(format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0`,
      ),
    ).toBe('numeric, character varying(9), date')
    expect(await one('SELECT count(*)::int FROM t WHERE other IS NOT NULL')).toBe(2)
  })

  it('says which column was given which type', async () => {
    await postgres.query('CREATE TABLE t (id bigint, amount integer); INSERT INTO t VALUES (1, 1)')
    const run = await recreate(postgres.connector())
    expect(run.log.map(({ message }) => message)).toContain('Gave column amount of app.t the type text; it was integer')
    expect(run.log.map(({ message }) => message)).toContain('Replaced the 1 row of t with 2')
  })
})

describe('what depended on a table of MariaDB that is recreated', () => {
  const mariadb = useMariaDb()
  const show = async (sql: string): Promise<string> => String(Object.values((await mariadb.query(sql))[0] ?? {})[1])

  it('is kept: views, indexes, foreign keys both ways, triggers, defaults, comments', async () => {
    await mariadb.query(`CREATE TABLE parent (id bigint PRIMARY KEY); INSERT INTO parent VALUES (1), (2);
      CREATE TABLE t (id bigint NOT NULL PRIMARY KEY COMMENT 'it''s', amount int COMMENT 'in cents', more int DEFAULT 5, KEY t_more (more),
        CONSTRAINT own FOREIGN KEY (id) REFERENCES parent (id)) COMMENT 'amounts';
      INSERT INTO t VALUES (1, 10, 1);
      CREATE TABLE child (tid bigint, CONSTRAINT other FOREIGN KEY (tid) REFERENCES t (id) ON DELETE SET NULL);
      CREATE VIEW v AS SELECT id, amount FROM t;
      CREATE TABLE seen (n int); CREATE TRIGGER t_note AFTER INSERT ON t FOR EACH ROW INSERT INTO seen VALUES (NEW.id)`)
    const run = await recreate(mariadb.connector())
    expect([run.error, warnings(run)]).toEqual([
      undefined,
      ['The trigger t_note now acts with the rights of this connector’s user; it had DEFINER=`root`@`localhost`'],
    ])
    expect(await mariadb.query('SELECT id, amount FROM v ORDER BY id')).toEqual([
      { id: 1, amount: 'a' },
      { id: 2, amount: 'b' },
    ])
    const table = await show('SHOW CREATE TABLE t')
    for (const words of [
      `COMMENT 'it''s'`,
      `COMMENT 'in cents'`,
      'DEFAULT 5',
      'KEY `t_more`',
      'CONSTRAINT `own` FOREIGN KEY',
      `COMMENT='amounts'`,
    ])
      expect(table).toContain(words)
    expect(await show('SHOW CREATE TABLE child')).toContain(
      'CONSTRAINT `other` FOREIGN KEY (`tid`) REFERENCES `t` (`id`) ON DELETE SET NULL',
    )
    expect(await mariadb.query('SELECT trigger_name AS name FROM information_schema.triggers')).toEqual([
      { name: 't_note' },
    ])
    expect(
      await mariadb.query(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'app' AND table_name LIKE 'headgate%'`,
      ),
    ).toEqual([])
    await mariadb.query(`DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'c', 1)`)
    expect(await mariadb.query('SELECT n FROM seen')).toEqual([{ n: 2 }])
  })

  it('is told where the new types leave no place for it', async () => {
    await mariadb.query(`CREATE TABLE t (id bigint PRIMARY KEY, amount int NOT NULL DEFAULT 5, KEY t_amount (amount));
      CREATE TABLE child (amount int, CONSTRAINT other FOREIGN KEY (amount) REFERENCES t (amount)); INSERT INTO t VALUES (1, 10)`)
    const run = await recreate(mariadb.connector())
    expect(run.error).toBeUndefined()
    expect(warnings(run).join('\n')).toContain('foreign key other of child')
    expect(await mariadb.query('SELECT amount FROM t ORDER BY id')).toEqual([{ amount: 'a' }, { amount: 'b' }])
  })
})

describe('what depended on a table of SQLite that is recreated', () => {
  it('is kept: views, indexes, triggers, checks, keys, the next number', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1), (2);
      CREATE TABLE "t" (id INTEGER PRIMARY KEY AUTOINCREMENT REFERENCES parent, -- a key, of parent
        [amount] integer /* in cents (, */ DEFAULT (1 + 2) CHECK (length(amount) < 9), "true" TEXT COLLATE NOCASE, UNIQUE (id, amount));
      CREATE INDEX t_amount ON t (amount) WHERE amount > 0; CREATE VIEW v AS SELECT id, amount FROM t;
      CREATE TABLE seen (n); CREATE TRIGGER t_note AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (NEW.amount); END;
      INSERT INTO t (id, amount) VALUES (1, 10), (2, 20); DELETE FROM seen`)
    const schema = () =>
      db.prepare(`SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name`).all() as {
        sql: string
      }[]
    const before = schema()
    const run = await recreate(sqliteConnector(path))
    expect(run.error).toBeUndefined()
    expect(schema()).toEqual(
      before.map((entry) => ({
        ...entry,
        sql: entry.sql
          .replace('[amount] integer /*', '[amount] TEXT /*')
          .replace('CREATE TABLE "t"', 'CREATE TABLE "t"'),
      })),
    )
    expect(db.prepare('SELECT * FROM v').all()).toEqual([
      { id: 1, amount: 'a' },
      { id: 2, amount: 'b' },
    ])
    expect(db.prepare('SELECT n FROM seen').pluck().all()).toEqual(['a', 'b'])
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.exec(`INSERT INTO parent VALUES (3); DELETE FROM t; INSERT INTO t (amount) VALUES ('c')`)
    expect(db.prepare('SELECT id FROM t').pluck().get()).toBe(3)
    db.close()
  })

  it('stays, with the table and its rows, where it does not go with the new types', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE t (id INTEGER, amount INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (1, 10)`)
    const run = await recreate(sqliteConnector(path))
    expect(run.error?.code).toBe('SCHEMA_MISMATCH')
    expect(run.error?.message).toContain('Table t can’t be changed to the new types')
    expect(db.prepare('SELECT * FROM t').all()).toEqual([{ id: 1, amount: 10 }])
    db.close()
  })
})

describe('what depended on a table of DuckDB that is recreated', () => {
  it('is kept: views, indexes, keys, checks, defaults, comments', async () => {
    const file = duckFile()
    await file.sql(`CREATE TABLE t (id BIGINT PRIMARY KEY, amount INTEGER, "od (d" STRUCT(a INTEGER, b VARCHAR)[], more INTEGER DEFAULT 5, CHECK (id > 0));
      INSERT INTO t VALUES (1, 10, NULL, 1); CREATE INDEX t_more ON t (more); COMMENT ON TABLE t IS 'amounts'; COMMENT ON COLUMN t.more IS 'it''s';
      CREATE VIEW v AS SELECT id, amount FROM t; CREATE SCHEMA s; CREATE VIEW s.w AS SELECT amount FROM main.v`)
    const run = await recreate(file.bound)
    expect([run.error, warnings(run)]).toEqual([undefined, []])
    expect(await file.sql('SELECT amount FROM s.w ORDER BY 1')).toEqual([['a'], ['b']])
    expect(await file.sql(`SELECT sql, comment FROM duckdb_tables() WHERE table_name = 't'`)).toEqual([
      [
        'CREATE TABLE t(id BIGINT PRIMARY KEY, amount VARCHAR, "od (d" STRUCT(a INTEGER, b VARCHAR)[], more INTEGER DEFAULT(5), CHECK((id > 0)));',
        'amounts',
      ],
    ])
    expect(await file.sql(`SELECT index_name FROM duckdb_indexes()`)).toEqual([['t_more']])
    expect(await file.sql(`SELECT comment FROM duckdb_columns() WHERE comment IS NOT NULL`)).toEqual([["it's"]])
  })

  it('is told where a view does not go with the new types', async () => {
    const file = duckFile()
    await file.sql(
      `CREATE TABLE t (id BIGINT, amount INTEGER); CREATE VIEW total AS SELECT sum(amount) AS total FROM t`,
    )
    const run = await recreate(file.bound)
    expect(run.error).toBeUndefined()
    expect(warnings(run).join('\n')).toContain('View total does not go with the new types')
  })
})
