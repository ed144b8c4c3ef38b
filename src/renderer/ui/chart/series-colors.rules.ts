/** Which color a series has: one name has the same in all charts that stand together. Pure but for the colors that are taken. */
import type { Plot } from './plot.rules.ts'

/** The number of a color by the name that has it. */
export type TakenColors = Map<string, number>

/** What has a color of its own: slices of a pie, else series. In a heatmap colors are values. */
export function coloredNames({ chart, places, series }: Plot): readonly string[] {
  if (chart === 'heatmap') return []
  return chart === 'pie' ? places.map(({ text }) => text) : series.map(({ name }) => name)
}

/** Values of a column divide the rows, rather than columns of their own. */
const areValues = ({ chart, series, yNames }: Plot) =>
  chart === 'pie' || series.some(({ name }) => !yNames.includes(name))

/**
 * Numbers of colors for the names of a chart. A name keeps the one it was first given; new ones take the lowest that the chart doesn't
 * have yet. Values of a column are taken in their order, so that charts which have the same ones agree, whichever is drawn first.
 */
export function colorsFor(plot: Plot, colors: number, taken: TakenColors): number[] {
  const names = coloredNames(plot)
  // One alone needs no telling apart.
  if (names.length <= 1) return names.map((name) => taken.get(name) ?? 0)
  const own = new Map<string, number>()
  const used = new Set<number>()
  const give = (name: string, color: number) => {
    own.set(name, color)
    used.add(color)
    if (!taken.has(name)) taken.set(name, color)
  }
  for (const name of names) {
    const known = taken.get(name)
    if (known !== undefined && !used.has(known)) give(name, known)
  }
  for (const name of areValues(plot) ? names.toSorted() : names) {
    if (own.has(name)) continue
    // With more names than colors they start over.
    if (used.size >= colors) used.clear()
    let free = 0
    while (used.has(free)) free++
    give(name, free)
  }
  return names.map((name) => own.get(name) ?? 0)
}
