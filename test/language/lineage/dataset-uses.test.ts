import { expect, test } from 'vitest'
import { datasetUses } from '../../../src/language/lineage/dataset-uses.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'

function usesOf(yaml: string): string[] {
  const { task, diagnostics } = parseTask(yaml)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return datasetUses(task!).map(
    ({ access, slot, kind, schema, name, pattern, part }) =>
      `${part}: ${access} ${slot} ${kind} ${schema === null ? '' : `${schema}.`}${name}${pattern ? ' (pattern)' : ''}`,
  )
}

const connectors = `connectors:
  db: {type: postgres, access: read_write}
  files: {type: file, access: read_write}
  mongo: {type: mongodb, access: read_write}
  web: {type: http, access: read_write}
  odata: {type: odata, access: read}
args:
  day: {type: date, required: true}
`

test('a pipeline reads its source and inputs and writes its target', () => {
  expect(
    usesOf(`etl: 1
kind: pipeline
name: a
${connectors}
source: {connector: files, files: {glob: 'in/\${{ args.day }}/*.csv'}}
inputs:
  countries: {connector: db, sql: {table: geo.countries}}
steps:
  - lookup: {input: countries, on: country}
target: {connector: db, table: 'orders_\${{ args.day }}', mode: append}
hooks:
  before:
    - {connector: db, sql: ['DELETE FROM staging', 'CALL tidy()']}
  after:
    - {connector: web, http: {path: /done, method: POST}}
  on_error:
    - {connector: db, sql: DELETE FROM failures}
`),
  ).toEqual([
    'source: read files file in/*/*.csv (pattern)',
    'inputs.countries: read db table geo.countries',
    'target: write db table orders_* (pattern)',
    'before: write db table staging',
    'before: write db query CALL tidy()',
    'after: write web path /done',
  ])
})

test.each([
  [
    '{connector: db, sql: {query: "SELECT * FROM Orders o JOIN geo.countries USING (id) WHERE day = :day"}}',
    ['read db table orders', 'read db table geo.countries'],
  ],
  ['{connector: db, sql: {query: "SELECT * FROM report(:day)"}}', ['read db query SELECT * FROM report(:day)']],
  ['{connector: mongo, mongo: {collection: orders}}', ['read mongo collection orders']],
  ['{connector: odata, odata: {entity: Products}}', ['read odata entity_set Products']],
  ['{connector: web, http: {path: "v1/orders?since=${{ args.day }}"}}', ['read web path /v1/orders (pattern)']],
  ['{inline: {rows: [{a: 1}]}}', []],
])('source %s', (source, expected) => {
  const uses = usesOf(
    `etl: 1\nkind: pipeline\nname: a\n${connectors}\nsource: ${source}\ntarget: {connector: files, file: {path: out.csv}}\n`,
  )
  expect(uses).toEqual([...expected.map((use) => `source: ${use}`), 'target: write files file out.csv'])
})

test('tables that statements make for themselves are none of its datasets', () => {
  expect(
    usesOf(`etl: 1
kind: sql
name: a
${connectors}
sql:
  connector: db
  statements:
    - CREATE TEMP TABLE part AS SELECT * FROM orders
    - INSERT INTO totals SELECT sum(x) FROM part
    - DROP TABLE part
`),
  ).toEqual(['sql: read db table orders', 'sql: write db table totals'])
})

test('a table made from a query', () => {
  expect(
    usesOf(`etl: 1
kind: sql
name: a
${connectors}
sql: {connector: db, create_as: marts.daily, query: SELECT * FROM orders}
`),
  ).toEqual(['sql: read db table orders', 'sql: write db table marts.daily'])
})

test('programs and scripts name no dataset', () => {
  expect(usesOf('etl: 1\nkind: command\nname: a\ncommand: {argv: [ls]}\n')).toEqual([])
})
