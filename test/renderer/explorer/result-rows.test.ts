import { describe, expect, it, vi } from 'vitest'
import type { QueryPage } from '../../../src/contract/queries.ts'
import { ResultRows } from '../../../src/renderer/features/explorer/result-rows.ts'

/** A held result of so many rows, as the server gives it: it knows 1,000 rows more than were asked for, and a page has 300 at most. */
function heldResult(total: number) {
  const asked: [number, number][] = []
  let known = 0
  const page = (row: number, size: number): QueryPage => {
    asked.push([row, size])
    known = Math.max(known, Math.min(total, row + 1000))
    const end = Math.min(total, row + Math.min(size, 300))
    const rows = Array.from({ length: Math.max(0, end - row) }, (_, at) => [row + at])
    const complete = known === total
    return {
      offset: row,
      rows,
      cut: [],
      nextCursor: end < total ? 'more' : null,
      row_count: known,
      complete,
      first_row: 0,
    }
  }
  return { asked, page }
}

async function settled(check: () => boolean) {
  await vi.waitFor(() => expect(check()).toBe(true))
}

describe('rows of a result', () => {
  it('arrive as they come into sight, to the very last one', async () => {
    const { page } = heldResult(2345)
    const rows = new ResultRows(
      page(0, 200),
      (row, size) => Promise.resolve(page(row, size)),
      () => {},
    )
    for (let row = 0; row < 2345; row += 40) {
      const last = Math.min(rows.state.count - 1, row + 39)
      rows.want(row, last)
      await settled(() => rows.at(Math.min(row, 2344)) !== undefined)
      expect(rows.at(row)).toEqual([row])
    }
    rows.want(2300, 2344)
    await settled(() => rows.state.complete && rows.at(2344) !== undefined)
    expect(rows.state.count).toBe(2345)
    expect(rows.at(2345)).toBeUndefined()
  })

  it('that are there already are gone to without asking for them again', async () => {
    const { asked, page } = heldResult(2000)
    const rows = new ResultRows(
      page(0, 200),
      (row, size) => Promise.resolve(page(row, size)),
      () => {},
    )
    expect(await rows.reach(1999)).toBe(1999)
    expect(await rows.reach(10)).toBe(10)
    const before = asked.length
    expect(await rows.reach(1500)).toBe(1500)
    expect(await rows.reach(499)).toBe(499)
    expect(asked.length).toBe(before)
    expect(asked.filter(([, size]) => size < 1)).toEqual([])
    expect(rows.state.error).toBeNull()
  })

  it('are read on to a row that is asked for by its number, or to the end', async () => {
    const { page } = heldResult(10_000)
    const rows = new ResultRows(
      page(0, 200),
      (row, size) => Promise.resolve(page(row, size)),
      () => {},
    )
    expect(await rows.reach(7777)).toBe(7777)
    expect(rows.at(7777)).toEqual([7777])
    expect(await rows.reach(50_000)).toBe(9999)
  })

  it('are loaded for the clipboard however many blocks they are in, and let go of again', async () => {
    const { page } = heldResult(60_000)
    const rows = new ResultRows(
      page(0, 200),
      (row, size) => Promise.resolve(page(row, size)),
      () => {},
    )
    const all = await rows.load(100, 59_999)
    expect(all).toHaveLength(59_900)
    expect(all.every(([value], at) => value === at + 100)).toBe(true)
    expect(rows.at(100)).toBeUndefined()
  })

  it('stop asking once a page did not come, and say why', async () => {
    const { page } = heldResult(5000)
    const ask = vi.fn<() => Promise<QueryPage>>(() => Promise.reject(new Error('The result is no longer held')))
    const rows = new ResultRows(page(0, 200), ask, () => {})
    rows.want(480, 520)
    await settled(() => rows.state.error !== null)
    rows.want(600, 640)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ask).toHaveBeenCalledTimes(1)
    expect(rows.state.error?.message).toBe('The result is no longer held')
  })
})
