import classes from './NodeTree.module.css'
import { type Axis, shareOf, ticksOf } from './gantt.ts'

const mostTicks = 4

/** Words above the bars: time since the beginning. */
export function TimeScale({ axis }: { axis: Axis }) {
  return (
    <span className={classes.scale}>
      {ticksOf(axis, mostTicks).map(({ share, text }) =>
        // The last word would run into the next column.
        share > 0.86 ? null : (
          <span key={text} className={classes.tick} style={{ left: `${share * 100}%` }}>
            {text}
          </span>
        ),
      )}
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
        {now === null ? null : (
          <span className={classes.line} data-now style={{ left: `${shareOf(axis, now) * 100}%` }} />
        )}
      </span>
    </div>
  )
}
