import { Fragment } from 'react'
import { WrittenNumber, isBranch, parseExact } from './json/exact-json.ts'
import classes from './JsonView.module.css'

function Leaf({ value }: { value: unknown }) {
  if (value instanceof WrittenNumber) {
    return (
      <span className={classes.leaf} data-kind="number">
        {value.text}
      </span>
    )
  }
  const kind = value === null ? 'null' : typeof value
  return (
    <span className={classes.leaf} data-kind={kind}>
      {JSON.stringify(value) ?? 'undefined'}
    </span>
  )
}

function Branch({ name, value, depth }: { name: string | undefined; value: object; depth: number }) {
  const entries = Object.entries(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const label = name === undefined ? null : <span className={classes.key}>{name}: </span>
  if (entries.length === 0) {
    return (
      <div className={classes.line}>
        {label}
        {open}
        {close}
      </div>
    )
  }
  return (
    <details open={depth < 2} className={classes.branch}>
      <summary>
        {label}
        {open}
        <span className={classes.count}>
          {entries.length} {close}
        </span>
      </summary>
      {entries.map(([key, child]) => (
        <Fragment key={key}>
          <Node name={key} value={child} depth={depth + 1} />
        </Fragment>
      ))}
    </details>
  )
}

function Node({ name, value, depth }: { name: string | undefined; value: unknown; depth: number }) {
  if (isBranch(value)) return <Branch name={name} value={value} depth={depth} />
  return (
    <div className={classes.line}>
      {name === undefined ? null : <span className={classes.key}>{name}: </span>}
      <Leaf value={value} />
    </div>
  )
}

/** A JSON value as a tree that folds. Give it the value, or the text that holds it, of which no digit is lost; broken text is shown as it is. */
export function JsonView({ value, json }: { value?: unknown; json?: string | null }) {
  let shown = value
  if (json !== undefined && json !== null) {
    try {
      shown = parseExact(json)
    } catch {
      return <pre className={classes.tree}>{json}</pre>
    }
  }
  return (
    <div className={classes.tree}>
      <Node name={undefined} value={shown} depth={0} />
    </div>
  )
}
