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

interface NodeProps {
  name: string | undefined
  value: unknown
  depth: number
  /** Of the values of a list, in its order. */
  names?: readonly string[] | undefined
}

function Branch({ name, value, depth, names }: NodeProps & { value: object }) {
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
          <Node
            name={(Array.isArray(value) ? names?.[Number(key)] : undefined) ?? key}
            value={child}
            depth={depth + 1}
          />
        </Fragment>
      ))}
    </details>
  )
}

function Node({ name, value, depth, names }: NodeProps) {
  if (isBranch(value)) return <Branch name={name} value={value} depth={depth} names={names} />
  return (
    <div className={classes.line}>
      {name === undefined ? null : <span className={classes.key}>{name}: </span>}
      <Leaf value={value} />
    </div>
  )
}

/** A JSON value as a tree that folds. Give it the value, or the text that holds it, of which no digit is lost; broken text is shown as it is. `names`: what the values of a list are called instead of their numbers. */
export function JsonView({ value, json, names }: { value?: unknown; json?: string | null; names?: readonly string[] }) {
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
      <Node name={undefined} value={shown} depth={0} names={names} />
    </div>
  )
}
