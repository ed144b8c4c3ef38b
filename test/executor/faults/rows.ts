import { createHash } from 'node:crypto'

/** The rows of every cell of the fault matrix: small, each different, and all together more than any buffer on the way. */
export interface Row {
  id: number
  name: string
  amount: number
  /** A number as text: what is to become of it is each lane's own work. */
  code: string
}

export const filler = 'x'.repeat(24)

export function rowOf(id: number): Row {
  return { id, name: `name ${id} ${filler}`, amount: (id * 7) % 1000, code: String((id * 13) % 9973) }
}

export function* rowsTo(count: number): Generator<Row> {
  for (let id = 1; id <= count; id++) yield rowOf(id)
}

/** What the target holds before a run: two rows with keys that come in, three with keys that do not. */
export const rowsBefore: readonly Row[] = [5, 7, 9_000_001, 9_000_002, 9_000_003].map((id) => ({
  id,
  name: `before ${id}`,
  amount: 1,
  code: '2',
}))

export type WriteMode = 'append' | 'replace' | 'upsert' | 'delete_insert'

/** Rows as a target holds them, whatever it is: how many, and a sum over all their values. */
export interface Held {
  rows: number
  digest: string
}

export const lineOf = (row: { id: unknown; name: unknown; amount: unknown; code: unknown }): string =>
  `${String(row.id)}|${String(row.name)}|${String(row.amount)}|${String(row.code)}`

export function heldOf(lines: string[]): Held {
  const hash = createHash('sha256')
  for (const line of lines.toSorted()) hash.update(line).update('\n')
  return { rows: lines.length, digest: hash.digest('hex').slice(0, 24) }
}

const expected = new Map<string, Held>()

/** What a run over `count` rows makes of what there was. */
export function heldAfter(mode: WriteMode, count: number): Held {
  const key = `${mode} ${count}`
  const known = expected.get(key)
  if (known) return known
  const stays = (row: Row): boolean => mode === 'append' || (mode !== 'replace' && row.id > count)
  const held = heldOf([...rowsBefore.filter(stays).map(lineOf), ...[...rowsTo(count)].map(lineOf)])
  expected.set(key, held)
  return held
}

export const heldBefore: Held = heldOf(rowsBefore.map(lineOf))

/** Where in the stream of rows a fault strikes. */
export type Place = 'first' | 'middle' | 'last'
export const places: readonly Place[] = ['first', 'middle', 'last']

/** Row 12, row 150,002 of 200,000, the last row. */
export function rowAt(place: Place, count: number): number {
  if (place === 'first') return 12
  return place === 'last' ? count : Math.floor(count * 0.75) + 2
}

/** The same as a share of all bytes. */
export const shareAt: Record<Place, number> = { first: 0.01, middle: 0.6, last: 0.97 }
