import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ServerEvent, eventTypes } from '../../../src/contract/events.ts'
import { getRun, listRunSteps, listRuns } from '../../../src/contract/runs.ts'
import { createEventEffects } from '../../../src/renderer/api/event-effects.ts'
import { effectOf } from '../../../src/renderer/api/event-rules.ts'
import { listKey, queryKey } from '../../../src/renderer/api/queries.ts'

const event = (type: ServerEvent['type'], id: number, data: Record<string, unknown> = {}): ServerEvent => ({
  id: 1,
  type,
  at: '2026-03-01T08:30:00.000Z',
  entity_id: id,
  data,
})

describe('effectOf', () => {
  // A notification of the desktop is shown, and changes nothing that is cached.
  test.each(eventTypes.filter((type) => type !== 'notification.desktop'))('%s makes something stale', (type) => {
    const effect = effectOf(event(type, 1))
    const count = effect.refreshLists.length + effect.refreshAll.length + effect.refreshRecords.length
    expect(count).toBeGreaterThan(0)
  })

  test('a run that begins or ends says anew how busy executors are', () => {
    expect(effectOf(event('run.changed', 4, { status: 'running' })).refreshAll).toContain('listExecutors')
  })

  test('progress changes the run and its steps, and fetches no list', () => {
    const effect = effectOf(event('run.progress', 4, { item_count: 9 }))
    expect(effect.patch).toEqual({ record: 'getRun', list: 'listRuns', id: 4, fields: { item_count: 9 } })
    expect(effect.refreshLists).toEqual([])
  })
})

describe('event effects', () => {
  let client: QueryClient
  beforeEach(() => {
    vi.useFakeTimers()
    client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  })
  afterEach(() => {
    client.clear()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('a change is seen at once in the record and in every list that holds it', () => {
    const record = queryKey(getRun, { params: { id: 4 } })
    const list = listKey(listRuns, { query: { limit: 2 } })
    client.setQueryData(record, { id: 4, status: 'pending', task_name: 'a' })
    client.setQueryData(list, {
      pages: [{ result: [{ id: 5 }, { id: 4, status: 'pending' }], nextCursor: null, prevCursor: null, total: 2 }],
      pageParams: [null],
    })
    const effects = createEventEffects(client)
    effects.apply(event('run.changed', 4, { status: 'running' }))
    effects.stop()
    expect(client.getQueryData(record)).toEqual({ id: 4, status: 'running', task_name: 'a' })
    expect(client.getQueryData(list)).toMatchObject({ pages: [{ result: [{ id: 5 }, { id: 4, status: 'running' }] }] })
  })

  test('a storm of events costs one request a record and round', async () => {
    const queryFn = vi.fn<() => Promise<unknown[]>>(async () => [])
    const observer = new QueryObserver(client, { queryKey: queryKey(listRunSteps, { params: { id: 4 } }), queryFn })
    const unsubscribe = observer.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    expect(queryFn).toHaveBeenCalledTimes(1)
    const effects = createEventEffects(client, 700)
    for (let i = 0; i < 500; i++) effects.apply(event('run.progress', 4, { item_count: i }))
    await vi.advanceTimersByTimeAsync(100)
    expect(queryFn).toHaveBeenCalledTimes(2)
    for (let i = 0; i < 500; i++) effects.apply(event('run.progress', 4, { item_count: i }))
    await vi.advanceTimersByTimeAsync(300)
    expect(queryFn).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(400)
    expect(queryFn).toHaveBeenCalledTimes(3)
    effects.apply(event('run.progress', 99, {}))
    await vi.advanceTimersByTimeAsync(2000)
    expect(queryFn).toHaveBeenCalledTimes(3)
    effects.stop()
    unsubscribe()
  })

  test('an event that comes while the first answer is on its way asks once more', async () => {
    let answer: (rows: string[]) => void = () => undefined
    const queryFn = vi.fn<() => Promise<string[]>>(() => new Promise((resolve) => (answer = resolve)))
    const key = queryKey(listRunSteps, { params: { id: 4 } })
    const unsubscribe = new QueryObserver(client, { queryKey: key, queryFn }).subscribe(() => undefined)
    const effects = createEventEffects(client, 700)
    effects.apply(event('run.progress', 4))
    await vi.advanceTimersByTimeAsync(1000)
    expect(queryFn).toHaveBeenCalledTimes(1)
    answer(['older than the event'])
    await vi.advanceTimersByTimeAsync(10)
    expect(queryFn).toHaveBeenCalledTimes(2)
    answer(['newer'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(client.getQueryData(key)).toEqual(['newer'])
    expect(queryFn).toHaveBeenCalledTimes(2)
    effects.stop()
    unsubscribe()
  })

  test('a long list is brought up to date by one request for its head', async () => {
    const key = listKey(listRuns, { query: { limit: 2 } })
    const page = (ids: number[]) => ({ result: ids.map((id) => ({ id })), nextCursor: 'n', prevCursor: null, total: 9 })
    const fetched = vi.fn<() => Promise<Response>>(async () => Response.json(page([6, 5])))
    vi.stubGlobal('fetch', fetched)
    const meta = { op: listRuns }
    const observer = new QueryObserver(client, { queryKey: key, queryFn: async () => null, enabled: false, meta })
    const unsubscribe = observer.subscribe(() => undefined)
    client.setQueryData(key, { pages: [page([5, 4]), page([3, 2])], pageParams: [null, 'n'] })
    observer.setOptions({ queryKey: key, queryFn: async () => null, staleTime: Infinity, meta })
    const effects = createEventEffects(client)
    effects.apply(event('run.created', 6))
    await vi.advanceTimersByTimeAsync(100)
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(client.getQueryData(key)).toMatchObject({
      pages: [{ result: [{ id: 6 }, { id: 5 }] }, { result: [{ id: 4 }, { id: 3 }, { id: 2 }] }],
    })
    effects.stop()
    unsubscribe()
  })

  test('a long list that is sorted by what changes is read anew, page by page', async () => {
    const key = listKey(listRuns, { query: { limit: 2, sort: 'status' } })
    const page = (ids: number[]) => ({ result: ids.map((id) => ({ id })), nextCursor: 'n', prevCursor: null, total: 4 })
    const answers = [page([2, 5]), page([4, 3])]
    const fetched = vi.fn<() => Promise<ReturnType<typeof page>>>(async () => answers.shift()!)
    const options = {
      queryKey: key,
      queryFn: fetched,
      initialPageParam: null as string | null,
      getNextPageParam: (last: ReturnType<typeof page>) => last.nextCursor,
      meta: { op: listRuns },
      staleTime: Infinity,
    }
    const observer = new InfiniteQueryObserver(client, { ...options, enabled: false })
    const unsubscribe = observer.subscribe(() => undefined)
    client.setQueryData(key, { pages: [page([5, 4]), page([3, 2])], pageParams: [null, 'n'] })
    observer.setOptions(options)
    const effects = createEventEffects(client)
    // The last run of the last page moves to the head.
    effects.apply(event('run.changed', 2, { status: 'running' }))
    await vi.advanceTimersByTimeAsync(100)
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(client.getQueryData(key)).toMatchObject({
      pages: [{ result: [{ id: 2 }, { id: 5 }] }, { result: [{ id: 4 }, { id: 3 }] }],
    })
    effects.stop()
    unsubscribe()
  })
})
