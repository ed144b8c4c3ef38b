import classes from './Cut.module.css'
import { cutPoint } from './cut.rules.ts'

/** A name that keeps its end where there is no room for all of it: names in a list often differ there. The whole is its tooltip. */
export function Cut({ text }: { text: string }) {
  const at = cutPoint(text)
  if (at === null) return text
  return (
    <span className={classes.cut} title={text}>
      <span className={classes.head} title={text}>
        {text.slice(0, at)}
      </span>
      <span>{text.slice(at)}</span>
    </span>
  )
}
