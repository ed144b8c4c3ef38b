import { type ReactNode, useId } from 'react'
import classes from './profile.module.css'

/** A part of the page of an account: what it is on the left, the thing itself on the right. */
export function Section({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text ? <p className={classes.about}>{text}</p> : null}
      </div>
      <div>{children}</div>
    </section>
  )
}
