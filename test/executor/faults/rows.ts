import { crc32 } from 'node:zlib'

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

export const lineOf = (row: { id: unknown; name: unknown; amount: unknown; code: unknown }): string =>
  `${String(row.id)}|${String(row.name)}|${String(row.amount)}|${String(row.code)}`

/** The same for the same lines in any order. */
export function digestOf(lines: readonly string[]): string {
  let [sum, mixed] = [0n, 0]
  for (const line of lines) {
    const code = crc32(line)
    sum += BigInt(code)
    mixed ^= Math.imul(code, line.length * 2 + 1)
  }
  return `${lines.length} ${sum} ${mixed}`
}

/** What a run over `count` rows makes of what there was. */
export function linesAfter(mode: WriteMode, count: number): readonly string[] {
  const key = `${mode} ${count}`
  const known = after.get(key)
  if (known) return known
  const stays = (row: Row): boolean => mode === 'append' || (mode !== 'replace' && row.id > count)
  const lines = [...rowsBefore.filter(stays).map(lineOf), ...[...rowsTo(count)].map(lineOf)]
  after.set(key, lines)
  return lines
}
const after = new Map<string, readonly string[]>()

/** What of `lines` is not among `others`, each as often as it is missing there. */
export function beyond(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}

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
