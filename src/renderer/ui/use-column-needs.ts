import { type RefObject, useCallback, useState } from 'react'
import type { TableColumn } from './table.types.ts'

const mark = (table: HTMLElement, isMeasured: boolean) => table.toggleAttribute('data-measured', isMeasured)
const none: ReadonlyMap<string, number> = new Map()

/**
 * Pixels that the rows seen so far need in each column. They only become more: what rows say changes, and columns that
 * follow it both ways would move all the time.
 */
export function useColumnNeeds(scroller: RefObject<HTMLElement | null>) {
  const [needs, setNeeds] = useState(none)
  const measure = useCallback(
    (columns: readonly TableColumn<never>[]) => {
      const table = scroller.current
      // Only where some share what is left is there anything to give.
      if (!table || columns.every(({ width }) => width !== undefined)) return
      mark(table, true)
      const found = new Map<string, number>()
      for (const cell of table.querySelectorAll<HTMLElement>('[data-column]')) {
        const id = cell.dataset['column'] ?? ''
        found.set(id, Math.max(found.get(id) ?? 0, Math.ceil(cell.getBoundingClientRect().width)))
      }
      mark(table, false)
      setNeeds((before) =>
        [...found].every(([id, width]) => width <= (before.get(id) ?? -1))
          ? before
          : new Map([
              ...before,
              ...[...found].map(([id, width]) => [id, Math.max(width, before.get(id) ?? 0)] as const),
            ]),
      )
    },
    [scroller],
  )
  return { needs, measure }
}
