import { useTranslation } from 'react-i18next'
import { ratioText } from '../format.ts'
import classes from './Chart.module.css'
import { type ChartLooks, colorOf } from './options.rules.ts'
import { type Plot, sharesOf } from './plot.rules.ts'
import { coloredNames } from './series-colors.rules.ts'

export interface LegendKey {
  index: number
  name: string
  color: string
  /** Of a slice that is drawn: how much of the pie it is. */
  share: string | undefined
}

export function legendOf(plot: Plot, looks: ChartLooks, hidden: ReadonlySet<number>): LegendKey[] {
  const shares = plot.chart === 'pie' ? sharesOf(plot, hidden) : []
  return coloredNames(plot).map((name, index) => {
    const share = shares[index]
    return { index, name, color: colorOf(looks, index), share: share === undefined ? undefined : ratioText(share) }
  })
}

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
      {keys.map(({ index, name, color, share }) => (
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
          {share === undefined ? null : <b>{share}</b>}
        </button>
      ))}
    </div>
  )
}
