import { Link } from 'react-router'
import classes from './metrics.module.css'
import type { TaskFigure } from './metrics.rules.ts'

interface RankedProps {
  title: string
  rows: readonly TaskFigure[]
  format: (value: number) => string
  to: (row: TaskFigure) => string
  tone?: 'failed'
  /** What a full bar stands for; the highest value unless told. */
  full?: number
  nothing: string
}

/** Names with a value each, the highest first; the bar behind a name is its share of the highest, or of all there is. */
export function Ranked({ title, rows, format, to, tone, full, nothing }: RankedProps) {
  const most = full ?? Math.max(...rows.map(({ value }) => value), 0)
  return (
    <section className={classes.panel} aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? <p className={classes.nothing}>{nothing}</p> : null}
      <ul className={classes.ranked}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link to={to(row)} title={row.name}>
              <i data-tone={tone} style={{ width: `${most === 0 ? 0 : Math.min(1, row.value / most) * 100}%` }} />
              <span>{row.name}</span>
              <b>{format(row.value)}</b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
