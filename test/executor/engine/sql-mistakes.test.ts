import Database from 'better-sqlite3'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const yamlOf = (step: string, more = '') => `etl: 1
kind: pipeline
name: sums
connectors: {in: {type: file, access: read}, db: {type: sqlite, access: read_write}}
args: {least: {type: integer, default: 1}}
${more}source: {connector: in, files: {glob: sums.csv}}
steps:
  - filter: "amount > :least"
  - ${step}
target: {connector: db, table: sums, mode: replace}
`
const errorsIn = (yaml: string) =>
  parseTask(yaml).diagnostics.map(({ code, line, column, end_column, hint }) => [code, line, column, end_column, hint])

const check = async (yaml_content: string) => {
  const work = { kind: 'check_sql' as const, yaml_content }
  const answer = await runCall(work, { signal: new AbortController().signal, tempDir: temporaryFolder() })
  if (answer.kind !== 'check_sql') throw new Error(answer.kind)
  return answer.value.diagnostics
}

describe('a misspelled keyword', () => {
  it.each([
    ['SELECT * FORM stream', 'FORM', 'FROM'],
    ['SELECT a, sum(b) AS b FRMO stream', 'FRMO', 'FROM'],
    ['SELECT a FROM stream WHER b > 1', 'WHER', 'WHERE'],
    ['SELECT a FROM stream GRUOP BY a', 'GRUOP', 'GROUP'],
    ['SELECT a FROM stream LIMTI 10', 'LIMTI', 'LIMIT'],
    ['SELECT a FROM (SELECT * FORM stream)', 'FORM', 'FROM'],
  ])('%s is refused at its place, without an executor', (sql, word, keyword) => {
    const yaml = yamlOf(`sql: ${sql}`)
    const column = yaml.split('\n')[8]!.indexOf(word) + 1
    expect(errorsIn(yaml)).toEqual([
      ['sql_misspelled_keyword', 9, column, column + word.length, `Did you mean \`${keyword}\`?`],
    ])
  })

  it.each([
    'SELECT form, wher FROM stream',
    'SELECT form.a AS form FROM stream form',
    'SELECT a form FROM stream form WHERE form.a > 1',
    'SELECT amount * form total FROM stream',
    'SELECT s.* EXCLUDE (form) FROM stream s JOIN stream form ON form.a = s.a',
    'WITH form AS (SELECT * FROM stream) SELECT count(*) grop FROM form ORDER BY grop DESC',
    'SELECT CASE WHEN form THEN wher ELSE limt END ordr FROM stream',
    'SELECT a FROM stream form(a, b) LIMIT 1',
    "SELECT date '2026-01-01' form, x BETWEEN form AND wher FROM stream",
    'FROM stream form SELECT form.a unon',
  ])('is not seen in %s, which DuckDB reads', async (sql) => {
    const yaml = yamlOf(`sql: "${sql}"`)
    expect(errorsIn(yaml)).toEqual([])
    expect(await check(yaml)).toEqual([])
  })
})

describe('SQL that DuckDB cannot read', () => {
  const broken = yamlOf('sql: "SELECT \'ä😀\' AS x, amount FROM stream GROUP amount"')

  it('is told with its place in the YAML', async () => {
    expect(errorsIn(broken)).toEqual([])
    const [found] = await check(broken)
    const line = broken.split('\n')[8]!
    expect(found).toMatchObject({
      code: 'sql_syntax',
      line: 9,
      column: line.lastIndexOf('amount') + 1,
      end_column: line.lastIndexOf('amount') + 7,
      message: 'DuckDB can\'t read this SQL: syntax error at or near "amount".',
    })
    const several = yamlOf('derive: {a: "amount +", b: "amount * :least", c: "(SELECT 1 WHERE )"}')
    expect((await check(several)).map(({ path, line }) => [path, line])).toEqual([
      ['steps[1].derive.a', 9],
      ['steps[1].derive.c', 9],
    ])
  })

  it('fails the run before a hook, the source or the target is touched', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'sums.db')
    const db = new Database(path)
    db.exec('CREATE TABLE sums (amount INTEGER); INSERT INTO sums VALUES (7)')
    const hook = 'hooks: {before: [{connector: db, sql: CREATE TABLE touched (a INTEGER)}]}\n'
    const run = await runTask(yamlOf('sql: "SELECT amount FROM stream GROUP amount"', hook), {
      in: fileConnector(folder),
      db: sqliteConnector(path),
    })
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SQL_INVALID', retryable: false } })
    expect(run.error?.message).toMatch(/^Line 10, column \d+: DuckDB can't read this SQL/)
    expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['sums'])
    expect(db.prepare('SELECT amount FROM sums').pluck().all()).toEqual([7])
    // There was no file to read, which nobody has noticed.
    expect(existsSync(join(folder, 'sums.csv'))).toBe(false)
    writeFileSync(join(folder, 'sums.csv'), 'amount\n3\n1\n')
    const mended = await runTask(yamlOf('sql: "SELECT amount FROM stream GROUP BY amount"', hook), {
      in: fileConnector(folder),
      db: sqliteConnector(path),
    })
    expect(mended).toMatchObject({ status: 'success', item_count: 1 })
    db.close()
  })
})
