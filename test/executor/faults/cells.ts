import type { Cell, Fault, Route } from './faults.ts'
import { lanes } from './lanes.ts'
import { lackingFor } from './machine.ts'
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

/** The cells that this machine can run; how many it cannot, by what it lacks. */
export function allCells(faults: readonly Fault[]): { cells: Cell[]; lacking: Record<string, number> } {
  const cells: Cell[] = []
  const lacking: Record<string, number> = {}
  for (const route of allRoutes()) {
    for (const fault of faults) {
      if ((unfit(route) ?? fault.unfit(route)) !== null) continue
      const lacks = lackingFor(route, fault)
      if (lacks === null) cells.push(...places.map((place) => ({ ...route, fault, place })))
      else lacking[lacks] = (lacking[lacks] ?? 0) + places.length
    }
  }
  return { cells, lacking }
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
  ['fault', 'target'],
] as const

function pairsOf(cell: Cell): string[] {
  const value = (of: string): string => `${of} ${dimensions[of]?.(cell)}`
  const all = pairs.map(([one, other]) => `${value(one)} × ${value(other)}`)
  return cell.fault.ofSource === true ? [...all, `${value('fault')} × ${value('source')}`] : all
}

/** More than any buffer on the way, and less than the most that the cell can do: of those there are too many. */
const usualRows = 25_000

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

/** A small part of the cells in which every pair occurs: each time one that adds most for its time. The same ones every time. */
export function covering(cells: readonly Cell[]): Cell[] {
  const all = shuffled(cells, 1).map((cell) => ({ cell, pairs: pairsOf(cell) }))
  const open = new Set(all.flatMap((one) => one.pairs))
  const chosen = cells.filter((cell) => always.has(titleOf(cell)))
  for (const pair of chosen.flatMap(pairsOf)) open.delete(pair)
  // By what each could be worth at most; it only ever becomes less.
  const byWorth: (typeof all)[] = []
  const put = (one: (typeof all)[number]): number => {
    const worth = Math.ceil((steps * one.pairs.filter((pair) => open.has(pair)).length) / secondsOf(one.cell))
    ;(byWorth[worth] ??= []).push(one)
    return worth
  }
  for (const one of all) put(one)
  for (let worth = byWorth.length - 1; worth > 0;) {
    const one = byWorth[worth]?.pop()
    if (!one) worth--
    else if (put(one) === worth) {
      byWorth[worth]?.pop()
      chosen.push(one.cell)
      for (const pair of one.pairs) open.delete(pair)
    }
  }
  return chosen.toSorted((a, b) => secondsOf(a) - secondsOf(b))
}

/** How finely the worth of cells is told apart. */
const steps = 16

export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const draw = drawFrom(seed)
  return list
    .map((item) => ({ item, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** About how long a cell takes. */
function secondsOf({ fault, ...route }: Cell): number {
  const { target, mode } = route
  return (fault.seconds?.(route) ?? 1) + (target.seconds?.(mode) ?? 0)
}

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
