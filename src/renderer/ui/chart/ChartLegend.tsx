import { useTranslation } from 'react-i18next'
import classes from './Chart.module.css'
import { type ChartLooks, colorOf } from './options.rules.ts'
import type { Plot } from './plot.rules.ts'
import { coloredNames } from './series-colors.rules.ts'

export interface LegendKey {
  index: number
  name: string
  color: string
}

export const legendOf = (plot: Plot, looks: ChartLooks): LegendKey[] =>
  coloredNames(plot).map((name, index) => ({ index, name, color: colorOf(looks, index) }))

interface ChartLegendProps {
  keys: readonly LegendKey[]
  hidden: ReadonlySet<number>
  onToggle(index: number): void
}

/** The key to the colors; a click hides a series and shows it again. */
export function ChartLegend({ keys, hidden, onToggle }: ChartLegendProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.legend} role="group" aria-label={t('chart.legend')}>
      {keys.map(({ index, name, color }) => (
        <button
          key={index}
          type="button"
          className={classes.key}
          aria-pressed={!hidden.has(index)}
          title={name}
          onClick={() => onToggle(index)}
        >
          <i style={{ background: color }} />
          <span>{name}</span>
        </button>
      ))}
    </div>
  )
}
