/** Pure handling of the pages of a keyset list. */
import type { Paginated } from '../../contract/common.ts'

interface WithId {
  id?: unknown
}

/** Rows of all pages in order; a row that two pages hold (it moved while paging) stands once, at its first place. */
export function flattenPages<Row>(pages: readonly Paginated<Row>[] | undefined): Row[] {
  if (!pages) return []
  const seen = new Set<unknown>()
  const rows: Row[] = []
  for (const page of pages) {
    for (const row of page.result) {
      const id = (row as WithId).id
      if (id !== undefined && seen.has(id)) continue
      if (id !== undefined) seen.add(id)
      rows.push(row)
    }
  }
  return rows
}

/**
 * Puts a freshly fetched first page in front of the pages already loaded: one request brings a long list up to date. When
 * the fresh page shares no row with them there is a gap between, and the list starts afresh from it.
 */
export function mergeHead<Row extends { id: unknown }>(
  head: Paginated<Row>,
  loaded: readonly Paginated<Row>[],
): Paginated<Row>[] {
  const last = loaded.at(-1)
  if (loaded.length <= 1 || !last) return [head]
  const inHead = new Set(head.result.map((row) => row.id))
  const rows = flattenPages(loaded)
  const lastShared = rows.findLastIndex((row) => inHead.has(row.id))
  if (lastShared < 0) return [head]
  return [
    head,
    {
      result: rows.slice(lastShared + 1),
      nextCursor: last.nextCursor,
      prevCursor: head.nextCursor,
      total: head.total,
    },
  ]
}

/** The pages with one record's fields replaced; the same object when no page holds it. */
export function patchPages<Row extends { id: unknown }>(
  pages: readonly Paginated<Row>[],
  id: unknown,
  fields: Partial<Row>,
): readonly Paginated<Row>[] {
  let found = false
  const patched = pages.map((page) => {
    if (!page.result.some((row) => row.id === id)) return page
    found = true
    return { ...page, result: page.result.map((row) => (row.id === id ? { ...row, ...fields } : row)) }
  })
  return found ? patched : pages
}
