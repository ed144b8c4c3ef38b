import { useCallback, useLayoutEffect, useRef } from 'react'
import { toggledKey, withRange } from './table-selection.rules.ts'
import type { DataTableProps } from './table.types.ts'

/** One row in or out, or all from one to another; the same functions for every drawing, so that rows aren't drawn again. */
export function useSelecting<Row>({
  rows,
  rowKey,
  selection,
}: Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'selection'>) {
  const latest = useRef({ rows, rowKey, selection })
  useLayoutEffect(() => {
    latest.current = { rows, rowKey, selection }
  })
  const extend = useCallback((from: number, to: number) => {
    const now = latest.current
    const keys = now.rows.map((row) => String(now.rowKey(row)))
    now.selection?.onChange(withRange(now.selection.selected, keys, from, to))
  }, [])
  const last = useRef(-1)
  const toggle = useCallback(
    (row: Row | undefined, ranged = false) => {
      const now = latest.current
      if (!now.selection || row === undefined) return
      const index = now.rows.indexOf(row)
      if (ranged && last.current >= 0) extend(last.current, index)
      else now.selection.onChange(toggledKey(now.selection.selected, String(now.rowKey(row))))
      last.current = index
    },
    [extend],
  )
  return { toggle, extend }
}
