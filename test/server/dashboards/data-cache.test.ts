import { expect, test } from 'vitest'
import { createDataCache } from '../../../src/server/features/dashboards/data-cache.ts'
import { createTestClock } from '../../support/platform.ts'

const mib = 1_048_576

function cacheWith() {
  const cache = createDataCache(createTestClock())
  const made: string[] = []
  /** Rows of so many bytes, by who asks. */
  const get = async (name: string, user: 'people' | 'links', bytes = 1, jobId = 1) =>
    cache.get({ jobId, of: name, ttl_ms: 60_000, user }, () => {
      made.push(name)
      return Promise.resolve({ fields: [], rows: [], truncated: null, run: null, bytes })
    })
  /** Which of them would have to be made again. */
  const missing = async (names: readonly string[], user: 'people' | 'links' = 'people') => {
    const before = made.length
    for (const name of names) await get(name, user)
    return made.slice(before)
  }
  return { cache, get, missing }
}

async function each(names: readonly string[], ask: (name: string) => Promise<unknown>): Promise<void> {
  for (const name of names) await ask(name)
}
const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

test('whatever strangers ask for, rows of people stay', async () => {
  const { get, missing } = cacheWith()
  const own = named('own', 20)
  await each(own, (name) => get(name, 'people', 2 * mib))
  await each(named('large', 100), (name) => get(name, 'links', 2 * mib))
  await each(named('many', 6_000), (name) => get(name, 'links'))
  expect(await missing(own)).toEqual([])
})

test('rows of strangers make room for each other, the longest unused first', async () => {
  const { get, missing } = cacheWith()
  await each(named('large', 9), (name) => get(name, 'links', 2 * mib))
  expect(await missing(named('large', 9).slice(1), 'links')).toEqual([])
  expect(await missing(['large0'], 'links')).toEqual(['large0'])
})

test('rows that a stranger had made first are those of people once one asks, and stay so when they are made again', async () => {
  const { cache, get, missing } = cacheWith()
  await get('both', 'links', mib)
  await get('both', 'people')
  await each(named('many', 1_500), (name) => get(name, 'links'))
  expect(await missing(['both'])).toEqual([])
  cache.forgetJob(1)
  expect(await missing(['both'], 'people')).toEqual(['both'])
  await each(named('more', 1_500), (name) => get(name, 'links'))
  expect(await missing(['both'])).toEqual([])
})

test('people’s own rows are forgotten when they are too many', async () => {
  const { get, missing } = cacheWith()
  await each(named('own', 30), (name) => get(name, 'people', 2 * mib))
  expect(await missing(['own0'])).toEqual(['own0'])
  expect(await missing(named('own', 30).slice(10))).toEqual([])
})
