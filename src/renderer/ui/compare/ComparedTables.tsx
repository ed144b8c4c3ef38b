import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Value } from '../Value.tsx'
import { orDash } from '../nothing.tsx'
import classes from './compare.module.css'
import type { ComparedValue, ValueComparison } from './compare-values.ts'

export interface Fact {
  id: string
  name: string
  a: ReactNode
  b: ReactNode
  differs: boolean
  delta?: ReactNode
}

/** Makes facts of two records from what each shows and what makes them differ. */
export const factsOf =
  <Row,>(a: Row, b: Row) =>
  (
    id: string,
    name: string,
    shown: (row: Row) => ReactNode,
    value: (row: Row) => unknown,
    delta?: ReactNode,
  ): Fact => ({
    id,
    name,
    a: shown(a),
    b: shown(b),
    differs: value(a) !== value(b),
    ...(delta === undefined ? {} : { delta }),
  })

export interface Heads {
  a: ReactNode
  b: ReactNode
}

interface SideHeadProps {
  id: number
  /** Of the other side: numbers grow with time. */
  other: number
  text: string
  to: string
}

/** Names one side, and says which of them is older. */
export function SideHead({ id, other, text, to }: SideHeadProps) {
  const { t } = useTranslation()
  return (
    <>
      <Link to={to} className={classes.side}>
        {text}
      </Link>
      {id === other ? null : <span className={classes.age}>{t(id < other ? 'compare.older' : 'compare.newer')}</span>}
    </>
  )
}

interface ComparedFactsProps {
  label: string
  heads: Heads
  facts: readonly Fact[]
}

export function ComparedFacts({ label, heads, facts }: ComparedFactsProps) {
  const { t } = useTranslation()
  return (
    <table className={`${classes.table} ${classes.complete}`}>
      <colgroup>
        <col className={classes.names} />
        <col />
        <col />
        <col className={classes.deltas} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span className={classes.hidden}>{label}</span>
          </th>
          <th scope="col">{heads.a}</th>
          <th scope="col">{heads.b}</th>
          <th scope="col" className={classes.delta}>
            {t('compare.change')}
          </th>
        </tr>
      </thead>
      <tbody>
        {facts.map((fact) => (
          <tr key={fact.id} data-differs={fact.differs || undefined}>
            <th scope="row">{fact.name}</th>
            {[fact.a, fact.b].map((side, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the two sides
              <td key={at}>{side}</td>
            ))}
            <td className={classes.delta}>{fact.delta}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface GivenProps {
  of: ComparedValue
  shown: ((value: unknown) => ReactNode) | undefined
}

/** A value, and whether it was not given; the dash where there is none. */
function Given({ of: { value, isDefault }, shown }: GivenProps) {
  const { t } = useTranslation()
  if (value === undefined) return orDash(null)
  return (
    <span className={classes.given}>
      <span>{shown ? shown(value) : <Value value={value} />}</span>
      {isDefault ? <span className={classes.age}>{t('compare.default')}</span> : null}
    </span>
  )
}

interface ComparedValuesProps {
  label: string
  /** Brief: which of them is older stands beside it. */
  heads: Heads
  rows: readonly ValueComparison[]
  /** Shown if neither side has any. */
  none: string
  /** How a value is shown; as data unless told. */
  shown?(value: unknown): ReactNode
}

const isAlike = ({ a, b, differs }: ValueComparison) => !differs && a.isDefault === b.isDefault

/** What both sides were given, by name; once where it is the same. */
export function ComparedValues({ label, heads, rows, none, shown }: ComparedValuesProps) {
  const { t } = useTranslation()
  return (
    <table className={`${classes.table} ${classes.values}`}>
      <thead>
        <tr>
          <th scope="col" colSpan={rows.length === 0 ? 3 : undefined}>
            {label}
          </th>
          {rows.length > 0 ? (
            <>
              {rows.every(isAlike) ? (
                <th scope="col" colSpan={2}>
                  {t('compare.both')}
                </th>
              ) : (
                <>
                  <th scope="col">{heads.a}</th>
                  <th scope="col">{heads.b}</th>
                </>
              )}
            </>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 ? (
          <tr>
            <td colSpan={3} className={classes.faint}>
              {none}
            </td>
          </tr>
        ) : null}
        {rows.map((row) => (
          <tr key={row.name} data-differs={row.differs || undefined}>
            <th scope="row">{row.name}</th>
            {isAlike(row) ? (
              <td colSpan={2}>
                <Given of={row.b} shown={shown} />
              </td>
            ) : (
              <>
                <td>
                  <Given of={row.a} shown={shown} />
                </td>
                <td>
                  <Given of={row.b} shown={shown} />
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
