import { useDeferredValue, useMemo, useState } from 'react'
import type { GridEdits, GridRows } from '../../ui/grid/grid.types.ts'
import { type Condition, type FindMistake, type Sort, sortedRows, testOf } from './find.rules.ts'
import { partOf, useFirstRows } from './use-first-rows.ts'
import type { ShownResult } from './use-query.ts'

/** A result sorted, searched, and filtered in the window: all of it, or as much of it as the window holds. */
export function useView(result: ShownResult) {
  const [condition, setCondition] = useState<Condition>({ field: null, operator: 'contains', value: '' })
  const [only, setOnly] = useState(false)
  const [sort, setSort] = useState<Sort | null>(null)
  const { fields, rows } = result
  const asked = useDeferredValue(condition)
  const tested = useMemo(() => testOf(asked, fields), [asked, fields])
  const test = tested && 'test' in tested ? tested.test : null
  const needsRows = sort !== null || test !== null
  const here = useFirstRows(result, needsRows)
  const isMissing = needsRows && here === null
  const matches = useMemo(() => (test && here ? here.map(test) : null), [test, here])
  const order = useMemo(() => {
    if (!here || (sort === null && !(only && matches))) return null
    const all = sort ? sortedRows(here, sort, fields) : [...here.keys()]
    return only && matches ? all.filter((row) => (matches[row]?.length ?? 0) > 0) : all
  }, [here, sort, only, matches, fields])
  /** Where the matches stand, in the order of the grid. */
  const found = useMemo(
    () =>
      (order ?? [...(matches ?? []).keys()]).flatMap((row, place) =>
        (matches?.[row] ?? []).map((field) => ({ row: place, field })),
      ),
    [order, matches],
  )
  const mistake: FindMistake | null = tested && 'mistake' in tested ? tested.mistake : null
  return {
    condition,
    setCondition,
    only,
    setOnly,
    sort,
    setSort,
    /** Something is looked for. */
    isSearching: test !== null,
    mistake,
    isReading: isMissing && rows.state.error === null,
    found: matches ? found : null,
    /** null: all rows were searched; else how many. */
    searched: here && partOf(result, here),
    isMatch: (row: number, field: number) => matches?.[order?.[row] ?? row]?.includes(field) === true,
    /** null: all rows in their own order. */
    order,
  }
}
export type ResultView = ReturnType<typeof useView>

/** Rows in another order, or only some of them; the first `added` are new ones, which stay at the top. */
export function rowsInOrder(source: GridRows, order: readonly number[], added: number): GridRows {
  const rowOf = (row: number) => (row < added ? row : (order[row - added] ?? 0) + added)
  return {
    count: order.length + added,
    at: (row) => source.at(rowOf(row)),
    want: () => undefined,
    numberOf: rowOf,
    async load(first, last) {
      const rows: (readonly unknown[])[] = []
      for (let row = first; row <= Math.min(last, order.length + added - 1); row++)
        rows.push(...(await source.load(rowOf(row), rowOf(row))))
      return rows
    },
  }
}

/** Edits of rows in another order. */
export function editsInOrder(edits: GridEdits, rowOf: (row: number) => number): GridEdits {
  return {
    ...edits,
    kindOf: (row) => edits.kindOf(rowOf(row)),
    isChanged: (row, field) => edits.isChanged(rowOf(row), field),
    onEdit: ({ row, column }) => edits.onEdit({ row: rowOf(row), column }),
    onDelete: (rows) => edits.onDelete(rows.map(rowOf)),
  }
}
