import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { taskText } from '../../../src/renderer/features/explorer/task-draft.rules.ts'

test('the draft is a task that the language takes, with the query and its values', () => {
  const text = taskText('sqlite', 'Orders of “Ada”', 'SELECT *\nFROM "orders"\nWHERE "total" > :total;', {
    total: '05',
  })
  expect(parseTask(text ?? '').diagnostics).toEqual([])
  expect(parse(text ?? '')).toMatchObject({
    name: 'orders_of_ada',
    connectors: { source_data: { type: 'sqlite', access: 'read' }, target_data: { type: 'file', access: 'write' } },
    source: { sql: { query: 'SELECT *\nFROM "orders"\nWHERE "total" > :total', params: { total: '05' } } },
    target: { file: { path: 'orders_of_ada.csv' } },
  })
})

test('whatever a query, its title, and its values hold arrives as it was', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), value, (title, rest, bound) => {
      fc.pre(!String(bound).includes('${{') && !rest.endsWith(';'))
      const query = `SELECT ${rest}`.trim()
      const { source } = parse(taskText('postgres', title, query, { name: bound }) ?? '') as {
        source: { sql: { query: string; params: { name: unknown } } }
      }
      const { query: arrived, params } = source.sql
      expect([arrived, params.name]).toEqual([query, bound])
    }),
  )
})

const drafted: readonly [
  type: string,
  query: string,
  values: Record<string, string>,
  source: object,
  steps?: object,
][] = [
  [
    'mongodb',
    '{"find": "orders", "filter": {"total": {"$gt": 5}, "note": "yes: \u0085"}, "sort": {"_id": -1}, "limit": 3}',
    {},
    { mongo: { collection: 'orders', find: { total: { $gt: 5 }, note: 'yes: \u0085' }, sort: { _id: -1 }, limit: 3 } },
  ],
  [
    'mongodb',
    '{"aggregate": "o", "pipeline": [{"$match": {"country": "NO", "day": {"$gte": {"$date": "2026-03-01T00:00:00Z"}}}}, {"$unwind": "$items"}]}',
    {},
    {
      mongo: {
        collection: 'o',
        aggregate: [
          { $match: { country: 'NO', day: { $gte: { $date: '2026-03-01T00:00:00Z' } } } },
          { $unwind: '$items' },
        ],
      },
    },
  ],
  [
    'odata',
    "Orders?$filter=total gt :least and note eq 'it''s'&$select=ID,total&$expand=items($select=ID)&$orderby=ID desc&$top=50",
    { least: '5' },
    {
      odata: {
        entity: 'Orders',
        filter: "total gt :least and note eq 'it''s'",
        params: { least: '5' },
        select: ['ID', 'total'],
        expand: ['items($select=ID)'],
        order_by: 'ID desc',
      },
    },
    [{ sql: 'SELECT * FROM stream LIMIT 50' }],
  ],
  [
    'http',
    'GET /orders/:id?status=:status\nrecords: data.items',
    { id: 'a/b', status: 'new & old' },
    { http: { path: '/orders/a%2Fb?status=new%20%26%20old', records: 'data.items' } },
  ],
  ['file', "select * from 'in/Ada''s people.csv'", {}, { files: { glob: "in/Ada's people.csv" } }],
  [
    's3',
    "SELECT orders.id, 'x.txt' AS note -- of 'other.csv'\nFROM '2026/orders.csv.gz#windows-1252'\nJOIN '2026/orders.csv.gz#windows-1252' AS o ON o.id = orders.next WHERE orders.id > :least",
    { least: '5' },
    { files: { glob: '2026/orders.csv.gz', csv: { encoding: 'windows-1252' } } },
    [
      {
        sql: {
          query:
            "SELECT orders.id, 'x.txt' AS note -- of 'other.csv'\nFROM stream AS \"orders\"\nJOIN stream AS o ON o.id = orders.next WHERE orders.id > :least",
          params: { least: '5' },
        },
      },
    ],
  ],
  [
    'sftp',
    `SELECT count(*) FROM "books/*.xlsx#Sheet 2" b`,
    {},
    { files: { glob: 'books/*.xlsx', xlsx: { sheet: 'Sheet 2' }, union_by_name: true } },
    [{ sql: 'SELECT count(*) FROM stream b' }],
  ],
]

test.each(drafted)('a query of %s becomes the source that reads it', (type, query, values, source, steps) => {
  const text = taskText(type, 'Some', query, values) ?? ''
  expect(parseTask(text).diagnostics).toEqual([])
  expect(parse(text)).toEqual({
    ...(parse(text) as object),
    source: { connector: 'source_data', ...source },
    ...(steps && { steps }),
  })
})

test('what a source lacks makes no draft that would read something else', () => {
  const queries: [string, string][] = [
    ['mongodb', '{"count": "orders"}'],
    ['mongodb', '{"find": "orders", "skip": 5}'],
    ['mongodb', '{"find": "orders", "filter": {"a": "${{ run.id }}"}}'],
    ['odata', 'Orders/$count'],
    ['odata', 'Orders?$skip=5'],
    ['http', 'POST /orders'],
    ['file', "SELECT * FROM 'a.csv' JOIN 'b.csv' USING (id)"],
    ['file', "SELECT * FROM 'a.csv', 'a.csv' b"],
    ['file', 'SELECT 1'],
  ]
  expect(queries.map(([type, query]) => taskText(type, 'x', query, {}))).toEqual(queries.map(() => null))
})

test('documents of MongoDB arrive as they were', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (filter) => {
      const query = JSON.stringify({ find: 'orders', filter })
      fc.pre(!query.includes('${{') && !Object.hasOwn(filter, '__proto__'))
      const { source } = parse(taskText('mongodb', 'x', query, {}) ?? '') as { source: { mongo: { find: unknown } } }
      expect(JSON.stringify(source.mongo.find)).toBe(JSON.stringify(JSON.parse(query).filter))
    }),
  )
})
