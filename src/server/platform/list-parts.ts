import { listLimit } from '../../contract/common.ts'
import type { CursorCodec, CursorValue } from './cursor.ts'

export interface KeysetPage<Row> {
  rows: Row[]
  nextCursor: string | null
  prevCursor: string | null
  total: number
}

/** Rows in an order of their own. */
export interface ListPart<Row> {
  /** Rows beyond the place, the nearest first; without one, from the end that is reached first. */
  read(place: CursorValue[] | undefined, backwards: boolean, limit: number): Row[]
  placeOf(row: Row): CursorValue[]
}

export interface PartsOptions<Row> {
  cursors: CursorCodec
  /** Names the list and its order: cursors of others are refused. */
  signature: string
  /** As many, in the same order, whenever the signature is the same: a cursor tells the part by its number. */
  parts: readonly ListPart<Row>[]
  cursor?: string | undefined
  limit?: number
  total: () => number
}

/**
 * One page of a list whose parts follow each other, such as one part per status: by the part and the place in it, both ways.
 * Each part is read no further than the page is long.
 */
export function partsPage<Row>({ cursors, signature, parts, total, ...query }: PartsOptions<Row>): KeysetPage<Row> {
  const limit = query.limit ?? listLimit.default
  const cursor = query.cursor === undefined ? undefined : cursors.decode(query.cursor, signature)
  const backwards = cursor?.direction === 'prev'
  const found = readParts(parts, cursor?.values, backwards, limit + 1)
  const more = found.length > limit
  if (more) found.length = limit
  if (backwards) found.reverse()
  const first = found[0]?.values ?? cursor?.values
  const last = found.at(-1)?.values ?? cursor?.values
  // Whether there is anything on the side that we came from: rows may have gone since.
  const behind = (values: CursorValue[], back: boolean) => readParts(parts, values, back, 1).length > 0
  const hasNext = backwards ? last !== undefined && behind(last, false) : more
  const hasPrev = backwards ? more : cursor !== undefined && first !== undefined && behind(first, true)
  return {
    rows: found.map(({ row }) => row),
    nextCursor: hasNext && last ? cursors.encode({ direction: 'next', values: last }, signature) : null,
    prevCursor: hasPrev && first ? cursors.encode({ direction: 'prev', values: first }, signature) : null,
    total: total(),
  }
}

function readParts<Row>(
  parts: readonly ListPart<Row>[],
  from: CursorValue[] | undefined,
  backwards: boolean,
  limit: number,
): { row: Row; values: CursorValue[] }[] {
  // The number of the part stands first: written below.
  const [start, ...rest] = (from ?? [backwards ? parts.length - 1 : 0]) as [number, ...CursorValue[]]
  const found: { row: Row; values: CursorValue[] }[] = []
  let place = from && rest
  for (let index = start; found.length < limit; index += backwards ? -1 : 1) {
    const part = parts[index]
    if (!part) break
    for (const row of part.read(place, backwards, limit - found.length))
      found.push({ row, values: [index, ...part.placeOf(row)] })
    place = undefined
  }
  return found
}
