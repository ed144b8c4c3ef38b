/** Series that are statuses: they have the words and the colors that these have everywhere. Pure. */
import { type Status, statusLooks } from '../status.ts'
import type { Plot } from './plot.rules.ts'

const isStatus = (name: string): name is Status => Object.hasOwn(statusLooks, name)

/** null: not all of them are statuses. */
export function statusesIn({ chart, series }: Plot): readonly Status[] | null {
  if (chart === 'pie' || chart === 'heatmap') return null
  const statuses = series.flatMap(({ name }) => (isStatus(name) ? [name] : []))
  return statuses.length > 0 && statuses.length === series.length ? statuses : null
}

export const withNames = (plot: Plot, names: readonly string[]): Plot => ({
  ...plot,
  series: plot.series.map((one, index) => ({ ...one, name: names[index] ?? one.name })),
})
