import { useEffect, useState } from 'react'
import type { ShownResult } from './use-query.ts'

/** Rows that are held at once, see `ResultRows`: those that are sorted, searched, drawn, and evaluated. */
export const mostFirstRows = 30_000

export type Rows = readonly (readonly unknown[])[]

/** The first rows of a result, or all of them; null: not wanted, or not read yet. */
export function useFirstRows(result: ShownResult, wanted: boolean): Rows | null {
  const [read, setRead] = useState<{ result: ShownResult; rows: Rows } | null>(null)
  const here = read?.result === result ? read.rows : null
  const isMissing = wanted && here === null
  useEffect(() => {
    if (!isMissing) return
    let stillWanted = true
    result.rows.load(0, mostFirstRows - 1).then(
      (rows) => stillWanted && setRead({ result, rows }),
      () => undefined, // told by the rows themselves
    )
    return () => {
      stillWanted = false
    }
  }, [isMissing, result])
  return wanted ? here : null
}

/** How many rows these are, if the result has others. */
export const partOf = ({ rows: { state } }: ShownResult, rows: Rows): number | null =>
  state.complete && state.count <= rows.length ? null : rows.length
