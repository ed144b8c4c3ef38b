import type { ReactNode } from 'react'

interface ScrollRegionProps {
  /** Spoken name. */
  label: string
  className?: string
  children: ReactNode
}

/** A part that scrolls by itself: reached by Tab, so that the keyboard can scroll it, and named. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={className} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
