import { describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import { flattenPages, mergeHead, patchPages } from '../../../src/renderer/api/pages.ts'

interface Row {
  id: number
  status?: string
}
const page = (ids: number[], next: string | null = null, total = 100): Paginated<Row> => ({
  result: ids.map((id) => ({ id })),
  nextCursor: next,
  prevCursor: null,
  total,
})
const ids = (pages: readonly Paginated<Row>[]) => flattenPages(pages).map((row) => row.id)

describe('flattenPages', () => {
  test('keeps the order and shows a row that moved between pages once', () => {
    expect(ids([page([5, 4, 3]), page([3, 2, 1])])).toEqual([5, 4, 3, 2, 1])
    expect(flattenPages(undefined)).toEqual([])
  })
})

describe('mergeHead', () => {
  test('puts new rows in front and keeps the pages that were loaded', () => {
    const merged = mergeHead(page([7, 6, 5], 'n5', 7), [page([5, 4, 3], 'n3'), page([2, 1], null)])
    expect(ids(merged)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(merged.at(-1)?.nextCursor).toBeNull()
    expect(merged[0]?.total).toBe(7)
  })

  test('drops rows that left the filter at the head', () => {
    expect(ids(mergeHead(page([6, 4]), [page([5, 4]), page([3])]))).toEqual([6, 4, 3])
  })

  test('starts afresh when more came than a page holds, rather than hide a gap', () => {
    const merged = mergeHead(page([9, 8], 'n8'), [page([5, 4], 'n4'), page([3])])
    expect(ids(merged)).toEqual([9, 8])
    expect(merged[0]?.nextCursor).toBe('n8')
  })

  test('a single loaded page is simply replaced', () => {
    expect(ids(mergeHead(page([3, 2]), [page([2, 1])]))).toEqual([3, 2])
  })
})

describe('patchPages', () => {
  test('changes one row and leaves the other pages the same objects', () => {
    const pages = [page([2]), page([1])]
    const patched = patchPages(pages, 1, { status: 'running' })
    expect(patched[1]?.result).toEqual([{ id: 1, status: 'running' }])
    expect(patched[0]).toBe(pages[0])
    expect(patchPages(pages, 99, { status: 'running' })).toBe(pages)
  })
})
