import classes from './RunBar.module.css'
import { type Status, isUnfinished, statusColor } from './status.ts'

/** A run as a bar as high as its share of the place: filled once it has ended, outlined until then. */
export function RunBar({ status, share }: { status: Status; share: number }) {
  const height = `${share * 100}%`
  return isUnfinished(status) ? (
    <i className={classes.bar} data-unfinished={status} style={{ height, color: statusColor(status) }} />
  ) : (
    <i className={classes.bar} style={{ height, background: statusColor(status, 'fill') }} />
  )
}
