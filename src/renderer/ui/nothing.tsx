import type { ReactNode } from 'react'

/** What stands where there is nothing to show. */
export const dash = '–'

/** A value, or the dash where there is none. */
export const orDash = (value: ReactNode): ReactNode =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? (
    <span style={{ color: 'var(--hg-text-faint)' }}>{dash}</span>
  ) : (
    value
  )
