import { describe, expect, test } from 'vitest'
import type { Found } from '../../../src/renderer/commands/open/found.ts'
import { matchText, rank, serverTerm } from '../../../src/renderer/commands/open/ranking.rules.ts'
import { readRecent, withOpened } from '../../../src/renderer/commands/open/recent.ts'

const task = (title: string, more: Partial<Found> = {}): Found => ({ kind: 'task', id: title, title, to: '/', ...more })
const titles = (found: readonly Found[], query: string, recent: string[] = []) =>
  rank(found, query, new Set(recent), 50).map(({ found: one }) => one.title)
const marked = (text: string, query: string) => matchText(text, query)?.ranges.map(([from, to]) => text.slice(from, to))

describe('what was typed', () => {
  test('exactly comes first, then beginnings, beginnings of words, anything within, scattered letters', () => {
    const all = ['ord-ers', 'reorders', 'daily_orders', 'orders_eu', 'orders', 'unrelated'].map((title) => task(title))
    expect(titles(all, 'orders')).toEqual(['orders', 'orders_eu', 'daily_orders', 'reorders', 'ord-ers'])
    expect(titles(all, 'ORDERS')[0]).toBe('orders')
    expect(titles([...all, task('order_list_eu')], 'orlist')).toEqual(['order_list_eu'])
  })

  test('is found exactly among thousands of names that hold it', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => task(`a_${index}_orders`))
    expect(titles([...many, task('orders')], 'orders')[0]).toBe('orders')
  })

  test('may be words in any order', () => {
    expect(titles([task('daily_orders_eu'), task('daily_customers')], 'eu daily')).toEqual(['daily_orders_eu'])
  })

  test('is marked where it was found; nothing is where capitals change the length of the name', () => {
    expect(marked('daily_orders', 'ord')).toEqual(['ord'])
    expect(marked('daily_orders_eu', 'eu daily')).toEqual(['daily', 'eu'])
    expect(marked('daily_orders', 'dailrders')).toEqual(['dail', 'rders'])
    expect(marked('İstanbul orders', 'orders')).toEqual([])
  })

  test('a few strewn letters are chance', () => {
    expect(matchText('import_customers_from_shop', 'ism')).toBeNull()
    expect(matchText('daily', 'dy')).toBeNull()
    // They begin where a word does.
    expect(matchText('unsupported_version', 'orders')).toBeNull()
  })

  test('in what stands beside the name is less than in the name, and must stand there as it was typed', () => {
    const all = [task('a', { hint: 'all orders of a day' }), task('reorders')]
    expect(titles(all, 'orders')).toEqual(['reorders', 'a'])
    expect(titles([task('a', { hint: 'o r d e r s' })], 'orders')).toEqual([])
  })

  test('as a number goes before every name', () => {
    const run: Found = { kind: 'run', id: '17', title: '#17 nightly', to: '/runs/17', exact: true }
    expect(titles([task('17th_of_may'), run], '17')).toEqual(['#17 nightly', '17th_of_may'])
  })

  test('of equal matches what was opened lately comes first, but never before the exact name', () => {
    const all = [task('orders_a'), task('orders_b'), task('orders')]
    expect(titles(all, 'orders', ['task:orders_b'])).toEqual(['orders', 'orders_b', 'orders_a'])
  })

  test('the same record from two sources is one', () => {
    expect(titles([task('orders'), task('orders')], 'ord')).toEqual(['orders'])
  })

  test.each([
    ['orders', 'orders'],
    [' eu daily ', 'daily'],
    ['', ''],
    ['x'.repeat(500), 'x'.repeat(200)],
  ])('the server is asked for the longest word of %j', (query, term) => expect(serverTerm(query)).toBe(term))
})

describe('what was opened lately', () => {
  test('is kept once, the latest first, thirty at most', () => {
    const opened = Array.from({ length: 40 }, (_, index) => task(String(index))).reduce<Found[]>(withOpened, [])
    expect(opened).toHaveLength(30)
    expect(
      withOpened(opened, task('20'))
        .map(({ id }) => id)
        .slice(0, 3),
    ).toEqual(['20', '39', '38'])
  })

  test.each([null, 'no JSON', '{}', '[1, null, {"kind": "ghost", "id": "1", "title": "x", "to": "/"}]'])(
    'kept as %j it is nothing',
    (text) => expect(readRecent(text)).toEqual([]),
  )
})
