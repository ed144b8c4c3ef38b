import type { QueryPage } from '../../../contract/queries.ts'
import { msg } from '../../../contract/messages.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Chunk } from './kept-rows.ts'

const lines = new WeakMap<Chunk, number[]>()

/** Where each line of a chunk ends; looked for once. */
function lineEnds(chunk: Chunk): number[] {
  const known = lines.get(chunk)
  if (known) return known
  const ends: number[] = []
  for (let at = chunk.bytes.indexOf(0x0a); at >= 0; at = chunk.bytes.indexOf(0x0a, at + 1)) ends.push(at)
  lines.set(chunk, ends)
  return ends
}

/** Rows of a chunk from `offset` of the whole result on, at most `size`. UNAVAILABLE: the executor promised other rows than it sent. */
export function rowsOf(chunk: Chunk, offset: number, size: number): Pick<QueryPage, 'rows' | 'cut'> {
  const ends = lineEnds(chunk)
  const from = offset - chunk.offset
  const to = Math.min(from + size, chunk.rows)
  const rows: unknown[][] = []
  for (let row = from; row < to; row++) {
    const begin = row === 0 ? 0 : (ends[row - 1] ?? 0) + 1
    rows.push(rowOf(chunk.bytes.toString('utf8', begin, ends[row])))
  }
  const cut = chunk.cut.filter(({ row }) => row >= offset && row < chunk.offset + to)
  return { rows, cut }
}

/** Each line is a row, see ResultFormat; but what an executor sends is input. */
function rowOf(line: string): unknown[] {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch {
    row = undefined // refused below
  }
  if (!Array.isArray(row)) throw new Refusal('UNAVAILABLE', msg('query_incomplete'))
  return row as unknown[]
}
