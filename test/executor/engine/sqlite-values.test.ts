import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

function makeDatabase(sql: string) {
  const path = join(temporaryFolder(), 'app.db')
  const open = <T>(work: (db: Database.Database) => T): T => {
    const db = new Database(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  open((db) => db.exec(sql))
  const write = (source: string, target: string, steps = '[]') =>
    runTask(
      `etl: 1
kind: pipeline
name: write
connectors: {db: {type: sqlite, access: write}}
source: {inline: ${source}}
steps: ${steps}
target: {connector: db, table: t, ${target}}
`,
      { db: sqliteConnector(path) },
    )
  return { write, all: (query: string) => open((db) => db.prepare(query).raw().safeIntegers().all()) }
}

describe('values on their way into SQLite', () => {
  it.each(['INTEGER', 'REAL', 'NUMERIC', 'DECIMAL(9,2)', 'BOOLEAN', 'DATE', 'TIMESTAMP', 'STRING', 'ANY'])(
    'are never turned from texts into numbers by a column declared %s',
    async (declared) => {
      const { write, all } = makeDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, x ${declared})`)
      const rows = ['007', '1.50', ' 5', '1e3', '9223372036854775808'].map((x, id) => `{id: ${id}, x: "${x}"}`)
      for (const mode of ['mode: append', 'mode: upsert, key: [id]']) {
        const source = `{rows: [${rows.join(', ')}], columns: {id: integer, x: string}}`
        const { error } = await write(source, `${mode}, schema: {types: widen}`)
        expect(error).toMatchObject({
          code: 'SCHEMA_MISMATCH',
          hint: expect.stringContaining('with the column as TEXT'),
        })
      }
      expect(all('SELECT count(*) FROM t')).toEqual([[0n]])
    },
  )

  const modes = ['mode: append', 'mode: replace', 'mode: upsert, key: [id]', 'mode: delete_insert, key: [id]']

  it.each(['JSON', 'JSONB'].flatMap((declared) => modes.map((mode) => ({ declared, mode }))))(
    'are refused where a column declared $declared would change them ($mode)',
    async ({ declared, mode }) => {
      const { write, all } = makeDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, doc ${declared})`)
      const texts = ['12345678901234567890', '1.10', '007', '1e3', ' 5', '5\n', '+5', '1.0', '.5', '5.', '-0', '1e400']
      for (const doc of texts) {
        const rows = `[{id: 1, doc: "{}"}, {id: 2, doc: ${JSON.stringify(doc)}}]`
        const { error } = await write(`{rows: ${rows}, columns: {id: integer, doc: string}}`, mode)
        expect(error).toMatchObject({
          message: expect.stringContaining(
            `Column \`doc\` is ${declared}, where SQLite turns texts into numbers, which would change ${doc.replace('\n', ' ')} (table t, id = 2)`,
          ),
          hint: 'SQLite cannot change the type of a column: create the table again, with the column declared as TEXT or JSON_TEXT.',
        })
      }
      const number = await write('{rows: [{id: 2}]}', mode, `[{sql: "SELECT 2 AS id, '1.10'::JSON AS doc"}]`)
      expect(number.error?.message).toContain('would change 1.10')
      expect(all('SELECT count(*) FROM t')).toEqual([[0n]])
    },
  )

  it.each(modes)('pass where a column declared JSON leaves them as they are (%s)', async (mode) => {
    const { write, all } = makeDatabase('CREATE TABLE t (id INTEGER PRIMARY KEY, doc JSON)')
    const texts = ['{"n":1.10}', '[1e3]', 'word', '"007"', 'true', '', '0x10', '1_000', '1e', '.', '1 2', '7', '-1.25']
    const rows = texts.map((doc, id) => ({ id, doc }))
    const done = await write(`{rows: ${JSON.stringify(rows)}, columns: {id: integer, doc: string}}`, mode)
    expect(done.error).toBeUndefined()
    expect(all('SELECT CAST(doc AS TEXT) FROM t ORDER BY id').flat()).toEqual(texts)
    expect(all("SELECT DISTINCT id FROM t WHERE typeof(doc) <> 'text' ORDER BY id")).toEqual([[11n], [12n]])
  })

  it('are refused too where SQLite itself would copy them into such a column', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    onTestFinished(() => void db.close())
    db.exec(`CREATE TABLE s (n INTEGER, code TEXT); INSERT INTO s VALUES (1, '007'); CREATE TABLE t (doc JSON)`)
    const copy = (query: string, table: string) =>
      runTask(
        `{etl: 1, kind: pipeline, name: copy, connectors: {db: {type: sqlite, access: read_write}}, source: {connector: db, sql: {query: "${query}"}}, target: {connector: db, table: ${table}}}`,
        { db: sqliteConnector(path) },
      )
    expect((await copy('SELECT code AS doc FROM s', 't')).error?.message).toContain('would change 007 (table t')
    // The column of the first SELECT gives the type.
    const union = await copy('SELECT n FROM s UNION ALL SELECT code FROM s', 'u')
    expect(union.error?.message).toContain(
      '`n` is INTEGER, where SQLite turns texts into numbers, which would change 007',
    )
  })

  it('of floating-point numbers are as everywhere in a column of texts', async () => {
    const { write, all } = makeDatabase('CREATE TABLE t (x TEXT)')
    const numbers = ['1e16', '1e15', '1e-7', '7.0', '0.1', '-0.0', '1e300'].map((x) => `{x: "${x}"}`)
    const done = await write(`{rows: [${numbers.join(', ')}], columns: {x: number}}`, 'mode: append')
    expect(done.error).toBeUndefined()
    expect(all('SELECT x FROM t ORDER BY rowid').flat()).toEqual([
      '1e+16',
      '1000000000000000.0',
      '1e-07',
      '7.0',
      '0.1',
      '-0.0',
      '1e+300',
    ])
  })

  it('stay texts in a column that is declared ANY in a strict table, or not declared', async () => {
    for (const table of ['t (x ANY) STRICT', 't (x)', 't (x BLOB)']) {
      const { write, all } = makeDatabase(`CREATE TABLE ${table}`)
      const done = await write('{rows: [{x: "007"}, {x: "1e3"}]}', 'mode: append, schema: {types: widen}')
      expect(done.error).toBeUndefined()
      expect(all('SELECT typeof(x), x FROM t')).toEqual([
        ['text', '007'],
        ['text', '1e3'],
      ])
    }
  })

  it('are whole numbers whatever the column is declared as', async () => {
    const declared = [
      'INTEGER',
      'TEXT',
      'VARCHAR(9)',
      '',
      'BLOB',
      'NUMERIC',
      'REAL',
      'DECIMAL(9,2)',
      'CHARINT',
      'FLOATING POINT',
    ]
    const values = ['5', '-1', '2147483647', '2147483648', '-2147483649', '9007199254740994']
    const columns = declared.map((type, at) => `c${at} ${type}`)
    const { write, all } = makeDatabase(`CREATE TABLE t (${columns.join(', ')}); CREATE TABLE bound AS SELECT * FROM t`)
    const rows = values.map((value) => `{${declared.map((_, at) => `c${at}: "${value}"`).join(', ')}}`)
    const done = await write(
      `{rows: [${rows.join(', ')}], columns: {${declared.map((_, at) => `c${at}: integer`).join(', ')}}}`,
      'mode: append, schema: {types: widen}',
    )
    expect(done.error).toBeUndefined()
    const literal = makeDatabase(
      `CREATE TABLE t (${columns.join(', ')}); ${values.map((value) => `INSERT INTO t VALUES (${declared.map(() => value).join(', ')})`).join(';')}`,
    )
    const look = `SELECT ${declared.map((_, at) => `typeof(c${at}), c${at}`).join(', ')} FROM t ORDER BY rowid`
    expect(all(look)).toEqual(literal.all(look))
  })

  it('inside of lists and objects are as a cast reads them, bytes too', async () => {
    const { write, all } = makeDatabase('CREATE TABLE u (n INTEGER)')
    const query = `SELECT [from_hex('00616263'), NULL, from_hex('5c783431'), from_hex('')] AS l, {'b': from_hex('ff'), 'd': [DATE '0001-01-01'], 'n': 1.10::DECIMAL(30,2), 'none': []} AS o`
    const done = await write('{rows: [{one: 1}]}', 'mode: append', `[{sql: "${query}"}]`)
    expect(done.error).toBeUndefined()
    expect(all('SELECT l, o FROM t')).toEqual([
      [
        String.raw`["\\x00616263",null,"\\x5c783431","\\x"]`,
        String.raw`{"b":"\\xff","d":["0001-01-01"],"n":1.10,"none":[]}`,
      ],
    ])
  })

  it('are moments before Christ too, as ISO 8601 writes them, which are read again as such', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = sqliteConnector(path)
    const moments = [
      '0044-03-15 (BC) 10:00:00',
      '4713-01-01 (BC) 00:00:00.000001',
      '2024-01-01 10:00:00',
      '0001-12-31 (BC) 00:00:00',
    ]
    const rows = moments.map((at, id) => `{id: ${id}, at: "${at}", words: "${at}"}`).join(', ')
    const slots = 'connectors: {db: {type: sqlite, access: read_write}}'
    const copied = async (source: string, steps: string, table: string, words: unknown[] = []) => {
      const { error, steps: reports } = await runTask(
        `{etl: 1, kind: pipeline, name: copy, ${slots}, ${source}, ${steps}, target: {connector: db, table: ${table}, mode: replace}}`,
        { db },
      )
      const told = reports.flatMap(({ changes = [] }) =>
        changes.map(({ column, code, count }) => [column, code, count]),
      )
      // As text `-0043` comes before `-4712`. The year 0 sorts.
      expect({ error, told }).toEqual({ error: undefined, told: [['at', 'change_text_years', 2], ...words] })
    }
    const columns = '{id: integer, at: datetime, words: datetime}'
    await copied(`source: {inline: {rows: [${rows}], columns: ${columns}}}`, 'steps: [{cast: {words: string}}]', 't')
    await copied('source: {connector: db, sql: {table: t}}', 'steps: [{cast: {words: datetime}}]', 'again', [
      ['words', 'change_text_years', 2],
    ])
    const file = new Database(path)
    onTestFinished(() => void file.close())
    const written = [
      '-0043-03-15T10:00:00',
      '-4712-01-01T00:00:00.000001',
      '2024-01-01T10:00:00',
      '0000-12-31T00:00:00',
    ]
    const all = (table: string) => file.prepare(`SELECT at, words FROM ${table} ORDER BY id`).raw().all()
    expect(all('t')).toEqual(written.map((at) => [at, at]))
    expect(all('again')).toEqual(all('t'))
    expect(file.pragma('table_info(again)')).toMatchObject([{}, { type: 'TIMESTAMP' }, { type: 'TIMESTAMP' }])
  })

  it('find their keys in columns of text', async () => {
    const { write, all } = makeDatabase(`CREATE TABLE t (k TEXT, n INTEGER); INSERT INTO t VALUES ('1', 1), ('2', 2)`)
    const done = await write('{rows: [{k: 1, n: 10}, {k: 3, n: 30}]}', 'mode: delete_insert, key: [k]')
    expect(done.error).toBeUndefined()
    expect(all('SELECT * FROM t ORDER BY n')).toEqual([
      ['2', 2n],
      ['1', 10n],
      ['3', 30n],
    ])
  })

  it('keep a byte order mark, emoji, a NUL character and empty texts, short or long', async () => {
    const texts = [
      '',
      '\uFEFF',
      '\uFEFFtwelve',
      `\uFEFF${'long '.repeat(10)}`,
      '😀',
      '😀'.repeat(4),
      'a\0b',
      `a\0${'b'.repeat(40)}`,
      'é'.repeat(6),
      'é'.repeat(7),
    ]
    const { write, all } = makeDatabase('CREATE TABLE t (v TEXT)')
    const done = await write(
      `{rows: ${JSON.stringify(texts.map((v) => ({ v: v.replace('\0', '~') })))}}`,
      'mode: append',
      `[{derive: {v: "replace(v, '~', chr(0))"}}]`,
    )
    expect(done.error).toBeUndefined()
    expect(all('SELECT v FROM t ORDER BY rowid').flat()).toEqual(texts)
  })
})
