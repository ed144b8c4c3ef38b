import type { Cell, Fault, Route } from './faults.ts'
import { lanes } from './lanes.ts'
import { sources, targets } from './registry.ts'
import { places } from './rows.ts'

/** Not the part that covers every pair, but all cells. */
export const isWhole = process.env['HEADGATE_FAULT_MATRIX'] === 'whole'

/** Why there is no such way through the engine; null: there is. */
export function unfit({ source, lane, target }: Route): string | null {
  if (lane.direct === undefined) return null
  if (source.database === undefined || source.database !== target.database)
    return `${lane.direct}: source and target are not the same kind of database`
  if (lane.direct === 'bytes' && source.database !== 'postgres') return 'bytes: only PostgreSQL gives its rows as bytes'
  return null
}

export function allCells(faults: readonly Fault[]): { cells: Cell[]; skipped: Map<string, number> } {
  const cells: Cell[] = []
  const skipped = new Map<string, number>()
  for (const route of allRoutes()) {
    for (const fault of faults) {
      const why = unfit(route) ?? fault.unfit(route)
      if (why === null) cells.push(...places.map((place) => ({ ...route, fault, place })))
      else skipped.set(why, (skipped.get(why) ?? 0) + places.length)
    }
  }
  return { cells, skipped }
}

function* allRoutes(): Generator<Route> {
  for (const source of sources)
    for (const lane of lanes)
      for (const target of targets) for (const mode of target.modes) yield { source, lane, target, mode }
}

export const titleOf = ({ source, lane, target, mode, fault, place }: Cell): string =>
  `${source.name} → ${lane.name} → ${target.name}${target.modes.length > 1 ? ` ${mode}` : ''}: ${fault.name}, ${place}`

/** Two dimensions of which every pair of values that can be together is to be in some cell. */
const dimensions: Record<string, (cell: Cell) => string> = {
  source: (cell) => cell.source.name,
  lane: (cell) => cell.lane.name,
  target: (cell) => cell.target.name,
  mode: (cell) => `${cell.target.name} ${cell.mode}`,
  fault: (cell) => cell.fault.name,
  place: (cell) => cell.place,
}
const pairs = [
  ['source', 'lane'],
  ['source', 'target'],
  ['lane', 'target'],
  ['mode', 'place'],
  ['fault', 'place'],
  ['fault', 'source'],
  ['fault', 'target'],
  ['fault', 'lane'],
] as const

function pairsOf(cell: Cell): string[] {
  return pairs.map(([one, other]) => `${one} ${dimensions[one]?.(cell)} × ${other} ${dimensions[other]?.(cell)}`)
}

/** More than any buffer on the way, and less than the most that the cell can do: of those there are too many. */
const usualRows = 60_000

/** How many rows a cell has: what its parts can do, if it is one of those that are always run or all of them are. */
export function rowsOf(cell: Cell): number {
  const most = Math.min(cell.source.rows, cell.lane.rows, cell.target.rows(cell.mode))
  return isWhole || always.has(titleOf(cell)) ? most : Math.min(most, usualRows)
}

/** Ways that people take every day, and on which rows were once lost without a word. */
const always: ReadonlySet<string> = new Set([
  'csv → no step → sqlite replace: bad value, middle',
  'csv → no step → sqlite append: bad value, last',
  'csv → fused steps → postgres append: bad value, middle',
  'csv.gz → no step → sqlite replace: truncated body, middle',
  'csv.gz → no step → sqlite replace: truncated body, last',
  'postgres query → bytes → postgres replace: connection to the source cut, middle',
  'sqlite → pushdown → sqlite replace: bad value, last',
])

/** A small part of the cells in which every pair occurs: each time one that adds most. The same ones every time. */
export function covering(cells: readonly Cell[]): Cell[] {
  const left = shuffled(cells, 1).map((cell) => ({ cell, pairs: pairsOf(cell) }))
  const open = new Set(left.flatMap((one) => one.pairs))
  // By how much each could add at most; it only ever becomes less.
  const byGain = Array.from({ length: pairs.length + 1 }, () => [] as typeof left)
  byGain[pairs.length] = left.toSorted((a, b) => Number(isDear(b.cell)) - Number(isDear(a.cell)))
  const chosen = cells.filter((cell) => always.has(titleOf(cell)))
  for (const pair of chosen.flatMap(pairsOf)) open.delete(pair)
  for (let gain = pairs.length; gain > 0;) {
    const one = byGain[gain]?.pop()
    if (!one) {
      gain--
      continue
    }
    const adds = one.pairs.filter((pair) => open.has(pair)).length
    if (adds < gain) byGain[adds]?.push(one)
    else {
      chosen.push(one.cell)
      for (const pair of one.pairs) open.delete(pair)
    }
  }
  return chosen
}

export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const draw = drawFrom(seed)
  return list
    .map((item) => ({ item, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Seconds of a server that looks at every document for each. */
const isDear = ({ target, mode }: Cell): boolean => target.name === 'mongodb' && mode === 'upsert'

/** The same numbers for the same seed (mulberry32). */
function drawFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
