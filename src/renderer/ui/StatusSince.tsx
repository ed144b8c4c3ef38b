import type { ReactNode } from 'react'
import classes from './StatusSince.module.css'

/** A status of a list and its time: where there is no room for both, the time is cut. */
export const StatusSince = ({ status, children }: { status: ReactNode; children: ReactNode }) => (
  <span className={classes.line}>
    <span>{status}</span>
    <span>{children}</span>
  </span>
)
