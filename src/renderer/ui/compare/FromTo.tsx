import type { ReactNode } from 'react'
import classes from './compare.module.css'
import { dash } from '../nothing.tsx'

interface FromToProps<Part> {
  a: Part | null
  b: Part | null
  /** Said once. */
  equal: boolean
  /** It differs, but follows from how the other run was started: it stands back. */
  quiet?: boolean
  children(part: Part): ReactNode
}

/** What both sides agree in, else from which to which. */
export function FromTo<Part>({ a, b, equal, quiet = false, children }: FromToProps<Part>) {
  if (equal && a !== null && b !== null)
    return <span className={`${classes.change} ${classes.same}`}>{children(b)}</span>
  return (
    <span className={`${classes.change} ${quiet ? classes.same : equal ? '' : classes.marked}`}>
      {a === null ? dash : children(a)}
      <span>{' → '}</span>
      {b === null ? dash : children(b)}
    </span>
  )
}
