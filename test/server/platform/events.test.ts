import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServerEvent } from '../../../src/contract/events.ts'
import { createEventLog } from '../../../src/server/platform/events.ts'
import { type TestPlatform, openTestPlatform, quietLogger } from '../../support/platform.ts'

let opened: TestPlatform
beforeEach(async () => {
  opened = await openTestPlatform()
})
afterEach(() => opened.close())

test('subscribers hear in one batch what one transaction changed, after its commit and not before', async () => {
  const { events, store } = opened.platform
  const batches: ServerEvent[][] = []
  events.subscribe((batch) => batches.push(batch))
  store.transaction(() => {
    events.append('task.changed', 1, { name: 'a' })
    events.append('task.changed', 2, { name: 'b' })
    expect(batches).toEqual([])
  })
  await Promise.resolve()
  expect(batches.map((batch) => batch.map(({ entity_id }) => entity_id))).toEqual([[1, 2]])
  expect(events.after(0, 10)).toEqual(batches[0])
})

test('what is rolled back is neither told nor kept', async () => {
  const { events, store } = opened.platform
  const heard: ServerEvent[] = []
  events.subscribe((batch) => heard.push(...batch))
  store.transaction(() => {
    events.append('run.created', 1, {})
    try {
      store.transaction(() => {
        events.append('run.changed', 1, {})
        throw new Error('back')
      })
    } catch {
      events.append('run.changed', 2, {})
    }
  })
  await Promise.resolve()
  expect(heard.map(({ type, entity_id }) => [type, entity_id])).toEqual([
    ['run.created', 1],
    ['run.changed', 2],
  ])
})

test('only the newest events are kept, and ids are never given again', () => {
  const { store, clock } = opened.platform
  const events = createEventLog(store, clock, quietLogger, 500)
  store.transaction(() => {
    for (let i = 0; i < 2_000; i++) events.append('task.changed', i + 1, {})
  })
  expect(events.latestId()).toBe(2_000)
  expect(events.oldestId()).toBe(1_501)
  store.sqlite.exec('DELETE FROM events')
  expect([events.oldestId(), events.latestId()]).toEqual([0, 2_000])
  store.transaction(() => events.append('task.changed', 1, {}))
  expect(events.after(0, 10).map(({ id }) => id)).toEqual([2_001])
})

test('a subscriber that fails does not keep the others from hearing, and one that left hears nothing', async () => {
  const { events, store } = opened.platform
  const heard: number[] = []
  events.subscribe(() => {
    throw new Error('broken')
  })
  const leave = events.subscribe(() => heard.push(1))
  events.subscribe(() => heard.push(2))
  store.transaction(() => events.append('task.changed', 1, {}))
  await Promise.resolve()
  leave()
  store.transaction(() => events.append('task.changed', 1, {}))
  await Promise.resolve()
  expect(heard).toEqual([1, 2, 2])
})
