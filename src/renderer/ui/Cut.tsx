import type { ReactNode } from 'react'
import classes from './Cut.module.css'
import { closeGap } from './close-gap.ts'
import { cutPoint } from './cut.rules.ts'

interface CutProps {
  text: string
  /** Where there is room for a few letters: fewer of them are its end. */
  narrow?: boolean
}

/** A name that keeps its end where there is no room for all of it: names in a list often differ there. The whole is its tooltip. */
export function Cut({ text, narrow = false }: CutProps) {
  const at = narrow ? cutPoint(text, 4, 8) : cutPoint(text)
  if (at === null) return text
  return (
    <span className={classes.cut} title={text}>
      {/* Two parts would be read as two words. */}
      <span className={classes.whole}>{text}</span>
      <span key={text} ref={closeGap} className={classes.head} title={text} aria-hidden>
        {text.slice(0, at)}
      </span>
      <span aria-hidden>{text.slice(at)}</span>
    </span>
  )
}

interface CutWithProps {
  text: string
  /** What is said of it; left out in whole where there is no room for both. */
  children: ReactNode
  /** Its tooltip: the name and what is said of it. */
  title?: string
}

/** A name and what is said of it, on one line. */
export const CutWith = ({ text, children, title }: CutWithProps) => (
  <span className={classes.with} title={title}>
    <span>
      <Cut text={text} />
    </span>
    {children ? <span>{children}</span> : null}
  </span>
)
