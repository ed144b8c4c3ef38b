import { eq, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type KeysetSort, keysetPage } from '../../../src/server/platform/keyset.ts'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import type { Store } from '../../../src/server/platform/store.ts'
import { type TestPlatform, openTestPlatform } from '../../support/platform.ts'

const things = sqliteTable('things', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  touched: text('touched'),
  owner: integer('owner').notNull(),
})
const owners = sqliteTable('owners', { id: integer('id').primaryKey(), label: text('label').notNull() })

let opened: TestPlatform
let store: Store
beforeEach(async () => {
  opened = await openTestPlatform()
  store = opened.platform.store
  store.sqlite.exec(`
    CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL, touched TEXT, owner INTEGER NOT NULL) STRICT;
    CREATE INDEX things_name ON things (name, id);
    CREATE TABLE owners (id INTEGER PRIMARY KEY, label TEXT NOT NULL) STRICT;
    INSERT INTO owners VALUES (0, 'zero'), (1, 'one');
  `)
})
afterEach(() => opened.close())

const byId: KeysetSort = { column: things.id, direction: 'desc' }
function fill(count: number): void {
  const insert = store.sqlite.prepare('INSERT INTO things VALUES (?, ?, ?, ?)')
  for (let id = 1; id <= count; id++) insert.run(id, `n${id % 3}`, id % 4 === 0 ? null : `t${id % 2}`, id % 2)
}
const page = (sort: KeysetSort[], cursor?: string, limit = 3) =>
  keysetPage({ store, table: things, where: undefined, sort, cursor, limit, total: () => 0 })
const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

test('pages go forth and back over the same rows', () => {
  fill(8)
  const first = page([byId])
  const second = page([byId], first.nextCursor!)
  const third = page([byId], second.nextCursor!)
  expect([first, second, third].map(({ rows }) => rows.map(({ id }) => id))).toEqual([
    [8, 7, 6],
    [5, 4, 3],
    [2, 1],
  ])
  expect(first.prevCursor).toBeNull()
  expect(third.nextCursor).toBeNull()
  const back = page([byId], third.prevCursor!)
  expect(back.rows).toEqual(second.rows)
  const start = page([byId], back.prevCursor!)
  expect(start.rows).toEqual(first.rows)
  expect(start.prevCursor).toBeNull()
  expect(start.nextCursor).not.toBeNull()
})

test('rows added meanwhile neither repeat nor hide others, and are found by going back', () => {
  fill(6)
  const first = page([byId])
  store.sqlite.exec("INSERT INTO things VALUES (7, 'new', NULL, 0)")
  const second = page([byId], first.nextCursor!)
  expect(second.rows.map(({ id }) => id)).toEqual([3, 2, 1])
  const back = page([byId], second.prevCursor!)
  expect(back.rows.map(({ id }) => id)).toEqual([6, 5, 4])
  expect(page([byId], back.prevCursor!).rows.map(({ id }) => id)).toEqual([7])
})

test('a page whose rows have all gone still leads back', () => {
  fill(6)
  const first = page([byId])
  store.sqlite.exec('DELETE FROM things WHERE id < 4')
  const empty = page([byId], first.nextCursor!)
  expect(empty.rows).toEqual([])
  expect(empty.nextCursor).toBeNull()
  expect(empty.prevCursor).not.toBeNull()
})

test('any sort, with equal values and nulls, visits every row once in both ways', () => {
  const direction = fc.constantFrom('asc', 'desc')
  const row = fc.record({ name: fc.constantFrom('a', 'b', 'c'), touched: fc.constantFrom('x', 'y', null) })
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 25 }),
      direction,
      direction,
      direction,
      fc.integer({ min: 1, max: 7 }),
      (rows, a, b, c, limit) => {
        store.sqlite.exec('DELETE FROM things')
        rows.forEach(({ name, touched }, index) =>
          store.sqlite.prepare('INSERT INTO things VALUES (?, ?, ?, 0)').run(index + 1, name, touched),
        )
        const sort: KeysetSort[] = [
          { column: things.touched, direction: a },
          { column: things.name, direction: b },
          { column: things.id, direction: c },
        ]
        const expected = store.sqlite
          .prepare<[], { id: number }>(`SELECT id FROM things ORDER BY touched ${a}, name ${b}, id ${c}`)
          .all()
          .map(({ id }) => id)
        const forth: number[] = []
        let current = page(sort, undefined, limit)
        forth.push(...current.rows.map(({ id }) => id))
        while (current.nextCursor) {
          current = page(sort, current.nextCursor, limit)
          forth.push(...current.rows.map(({ id }) => id))
        }
        expect(forth).toEqual(expected)
        const back = current.rows.map(({ id }) => id)
        while (current.prevCursor) {
          current = page(sort, current.prevCursor, limit)
          back.unshift(...current.rows.map(({ id }) => id))
        }
        expect(back).toEqual(expected)
      },
    ),
    { numRuns: 60 },
  )
})

test('a cursor with any one byte changed is refused, at query.cursor', () => {
  fill(5)
  const { nextCursor } = page([byId])
  for (let index = 0; index < nextCursor!.length; index++) {
    const changed =
      nextCursor!.slice(0, index) + (nextCursor![index] === 'A' ? 'B' : 'A') + nextCursor!.slice(index + 1)
    const refusal = refusalOf(() => page([byId], changed))
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'query.cursor' }] })
  }
  for (const rubbish of ['', 'x', 'null', '../../', '💥']) {
    expect(refusalOf(() => page([byId], rubbish))).toMatchObject({ code: 'VALIDATION_ERROR' })
  }
})

test('a cursor of another sort, list or store is refused', async () => {
  fill(5)
  const { nextCursor } = page([byId])
  expect(refusalOf(() => page([{ column: things.id, direction: 'asc' }], nextCursor!))).toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  const other = await openTestPlatform()
  other.platform.store.sqlite.exec(
    'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, touched TEXT, owner INTEGER)',
  )
  const elsewhere = () =>
    keysetPage({
      store: other.platform.store,
      table: things,
      where: undefined,
      sort: [byId],
      cursor: nextCursor!,
      total: () => 0,
    })
  expect(refusalOf(elsewhere)).toMatchObject({ code: 'VALIDATION_ERROR' })
  other.close()
})

test('chosen fields and joins come without what the cursor needs', () => {
  fill(4)
  const result = keysetPage<{ name: string; label: string }>({
    store,
    table: things,
    select: { name: things.name, label: owners.label },
    joins: [{ table: owners, on: eq(owners.id, things.owner) }],
    where: sql`${things.id} > 2`,
    sort: [byId],
    limit: 1,
    total: () => 2,
  })
  expect(result).toMatchObject({ rows: [{ name: 'n1', label: 'zero' }], total: 2 })
  expect(Object.keys(result.rows[0]!)).toEqual(['name', 'label'])
})

test('a sort by one or more columns that are never null is answered from its index', () => {
  const sort: KeysetSort[] = [
    { column: things.name, direction: 'asc' },
    { column: things.id, direction: 'asc' },
  ]
  fill(10)
  const { nextCursor } = page(sort)
  const prepared: string[] = []
  const { sqlite } = store
  const prepare = sqlite.prepare.bind(sqlite)
  const spy = vi.spyOn(sqlite, 'prepare').mockImplementation((source: string) => {
    prepared.push(source)
    return prepare(source)
  })
  page(sort, nextCursor!)
  spy.mockRestore()
  const query = prepared.find((source) => source.includes('order by'))!
  const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all('n0', 3, 4)
  expect(plan.map(({ detail }) => detail).join('\n')).toMatch(/SEARCH things USING INDEX things_name/)
  expect(plan.map(({ detail }) => detail).join('\n')).not.toMatch(/TEMP B-TREE/)
})
