import { useTranslation } from 'react-i18next'
import classes from './NodeTree.module.css'
import { type Axis, shareOf, ticksOf } from './gantt.ts'

const mostTicks = 4

const placeOf = (axis: Axis, { from, to }: { from: number; to: number }) => ({
  left: `${shareOf(axis, from) * 100}%`,
  width: `${(shareOf(axis, to) - shareOf(axis, from)) * 100}%`,
})

/** Words above the bars: time since the beginning. */
export function TimeScale({ axis }: { axis: Axis }) {
  const { t } = useTranslation('jobRuns')
  const end = axis.wait ? shareOf(axis, axis.wait.from) : 1
  return (
    <span className={classes.scale}>
      {ticksOf(axis, mostTicks).map(({ share, text }) => (
        <span
          key={text}
          className={classes.tick}
          // A word that would reach beyond the bars ends with them.
          style={{ left: `min(${share * 100}%, ${end * 100}% - ${text.length}ch - 3px)` }}
        >
          {text}
        </span>
      ))}
      {axis.wait ? (
        <span className={classes.waitWord} style={placeOf(axis, axis.wait)}>
          {t('tree.wait')}
        </span>
      ) : null}
    </span>
  )
}

/** Lines behind the bars, and the one that shows the present. */
export function TimeGrid({ axis, now }: { axis: Axis; now: number | null }) {
  return (
    <div className={classes.grid} aria-hidden>
      <span />
      <span className={classes.lines}>
        {ticksOf(axis, mostTicks).map(({ share, text }) => (
          <span key={text} className={classes.line} style={{ left: `${share * 100}%` }} />
        ))}
        {axis.wait ? <span className={classes.wait} style={placeOf(axis, axis.wait)} /> : null}
        {now === null ? null : (
          <span className={classes.line} data-now style={{ left: `${shareOf(axis, now) * 100}%` }} />
        )}
      </span>
    </div>
  )
}
