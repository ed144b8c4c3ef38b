import { msg } from '../../contract/messages.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from './refusal.ts'

export type CursorValue = string | number | null

/** A place in a sorted list: the sort values of a row, and the way to go from it. */
export interface Cursor {
  direction: 'next' | 'prev'
  values: CursorValue[]
}

const TAG_BYTES = 12

/** Opaque cursors: signed with the store's own secret, together with the sort that they belong to. */
export interface CursorCodec {
  encode(cursor: Cursor, sort: string): string
  /** Refuses (400 at `path`, `query.cursor` by default) a changed cursor and one of another list or sort. */
  decode(text: string, sort: string, path?: string): Cursor
}

export function createCursorCodec(secret: string): CursorCodec {
  const tag = (payload: string, sort: string) =>
    createHmac('sha256', secret).update(`${sort}\n${payload}`).digest().subarray(0, TAG_BYTES)
  return {
    encode({ direction, values }, sort) {
      const payload = JSON.stringify([direction, ...values])
      return Buffer.concat([tag(payload, sort), Buffer.from(payload)]).toString('base64url')
    },
    decode(text, sort, path = 'query.cursor') {
      const bytes = Buffer.from(text, 'base64url')
      const payload = bytes.subarray(TAG_BYTES).toString('utf8')
      const canonical = bytes.length > TAG_BYTES && bytes.toString('base64url') === text
      if (!canonical || !timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(payload, sort))) badCursor(path)
      // Signed by us: the shape is the one that encode() wrote.
      const [direction, ...values] = JSON.parse(payload) as [Cursor['direction'], ...CursorValue[]]
      return { direction, values }
    },
  }
}

function badCursor(path: string): never {
  invalid([
    {
      path,
      ...msg('cursor_invalid'),
    },
  ])
}
