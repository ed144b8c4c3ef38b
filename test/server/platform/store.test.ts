import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../src/server/platform/store.ts'
import { type TestPlatform, openTestPlatform } from '../../support/platform.ts'

let opened: TestPlatform
let store: Store
beforeEach(async () => {
  opened = await openTestPlatform()
  store = opened.platform.store
  store.sqlite.exec('CREATE TABLE things (name TEXT PRIMARY KEY) STRICT')
})
afterEach(() => opened.close())

const add = (name: string) => store.sqlite.prepare('INSERT INTO things VALUES (?)').run(name)
const names = () => store.db.all<{ name: string }>(sql`SELECT name FROM things ORDER BY name`).map(({ name }) => name)

test('the database is durable: WAL with synchronous FULL, foreign keys on', () => {
  const pragma = (name: string) => store.sqlite.pragma(name, { simple: true })
  expect(pragma('journal_mode')).toBe('wal')
  expect(pragma('synchronous')).toBe(2)
  expect(pragma('foreign_keys')).toBe(1)
  expect(pragma('auto_vacuum')).toBe(2)
})

test('a transaction that throws leaves nothing', () => {
  expect(() =>
    store.transaction(() => {
      add('a')
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(names()).toEqual([])
  expect(store.sqlite.inTransaction).toBe(false)
})

test('a nested transaction that throws takes back its own part only', () => {
  store.transaction(() => {
    add('outer')
    expect(() =>
      store.transaction(() => {
        add('inner')
        throw new Error('inner fails')
      }),
    ).toThrow('inner fails')
    store.transaction(() => add('second'))
  })
  expect(names()).toEqual(['outer', 'second'])
})

test('an asynchronous function is refused, as its work would run after the commit', () => {
  expect(() => store.transaction(() => Promise.resolve(add('late')))).toThrow('must be synchronous')
  expect(names()).toEqual([])
})

test('what waits for the commit runs after it, once, and not when its part was rolled back', () => {
  const heard: string[] = []
  store.transaction(() => {
    add('a')
    store.afterCommit(() => heard.push(`committed ${names().length}, open ${store.sqlite.inTransaction}`))
    try {
      store.transaction(() => {
        store.afterCommit(() => heard.push('never'))
        throw new Error('rolled back')
      })
    } catch {
      heard.push('caught')
    }
  })
  expect(() =>
    store.transaction(() => {
      store.afterCommit(() => heard.push('never'))
      throw new Error('rolled back')
    }),
  ).toThrow('rolled back')
  store.transaction(() => add('b'))
  expect(heard).toEqual(['caught', 'committed 1, open false'])
})

test('a listener of a commit that fails does not turn the change into an error', () => {
  store.transaction(() => {
    add('kept')
    store.afterCommit(() => {
      throw new Error('listener')
    })
  })
  expect(names()).toEqual(['kept'])
})

test('group commit: everything of one turn is one transaction, and a failing part fails alone', async () => {
  let commits = 0
  const counting = (name: string) =>
    store.group(() => {
      add(name)
      store.afterCommit(() => (commits += 1))
      return store.sqlite.inTransaction
    })
  const results = await Promise.allSettled([counting('a'), counting('a'), counting('b')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[0]).toMatchObject({ value: true })
  expect(commits).toBe(2)
  expect(names()).toEqual(['a', 'b'])
})

test('group commit: the promise resolves only after the data are committed', async () => {
  const committed = store.group(() => add('a')).then(() => [store.sqlite.inTransaction, names()])
  expect(names()).toEqual([])
  expect(await committed).toEqual([false, ['a']])
})

test('group commit: a commit that fails as a whole rejects every part', async () => {
  store.sqlite.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT`)
  const first = store.group(() => add('a'))
  const orphan = store.group(() => store.sqlite.prepare('INSERT INTO children VALUES (1)').run())
  const results = await Promise.allSettled([first, orphan])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(names()).toEqual([])
  expect(await store.group(() => add('later').changes)).toBe(1)
})

test('what follows a queued change is of its transaction: one that fails takes the change with it', async () => {
  const heard: unknown[] = []
  const follow = (value: unknown) => {
    heard.push([value, store.sqlite.inTransaction])
    if (value === 'b') throw new Error('No record of b')
  }
  const queued = (name: string) =>
    store.followed(follow, () =>
      store.group(() => {
        add(name)
        return name
      }),
    )
  const [a, b] = [queued('a'), queued('b')]
  expect([a.grouped, b.grouped]).toEqual([true, true])
  const results = await Promise.allSettled([a.value, b.value])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(heard).toEqual([
    ['a', true],
    ['b', true],
  ])
  expect(names()).toEqual(['a'])
})

test('work that queues nothing is followed by nobody, nor is what is queued after it', async () => {
  const heard: unknown[] = []
  const follow = (value: unknown) => void heard.push(value)
  expect(store.followed(follow, () => 1)).toEqual({ value: 1, grouped: false })
  expect(() =>
    store.followed(follow, () => {
      throw new Error('Refused')
    }),
  ).toThrow('Refused')
  await store.group(() => add('later'))
  expect(heard).toEqual([])
})

test('what somebody queues who hears of a commit is not followed', async () => {
  const heard: unknown[] = []
  let queued: Promise<unknown> = Promise.resolve()
  const { value, grouped } = store.followed(
    (given) => void heard.push(given),
    () =>
      store.transaction(() => {
        store.afterCommit(() => void (queued = store.group(() => add('heard'))))
        return 'own'
      }),
  )
  await queued
  expect([value, grouped, heard, names()]).toEqual(['own', false, [], ['heard']])
})

test('closing commits what is still queued', async () => {
  const queued = store.group(() => add('last').changes)
  store.close()
  expect(await queued).toBe(1)
  store.close()
})

test('the log is made short once nobody reads an older state; who does is not waited for', () => {
  const { databaseFile } = opened.platform
  const logBytes = () => statSync(`${databaseFile}-wal`).size
  const reader = new Sqlite(databaseFile, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT name FROM things').all()
  add('a')
  store.shortenLog()
  expect(logBytes()).toBeGreaterThan(0)
  expect(store.sqlite.pragma('busy_timeout', { simple: true })).toBe(5000)
  expect(reader.prepare('SELECT name FROM things').all()).toEqual([])
  reader.close()
  store.shortenLog()
  expect(logBytes()).toBe(0)
})
