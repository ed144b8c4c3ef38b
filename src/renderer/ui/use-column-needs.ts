import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { TableColumn } from './table.types.ts'

type Needs = ReadonlyMap<string, number>

const mark = (table: HTMLElement, isMeasured: boolean) => table.toggleAttribute('data-measured', isMeasured)
const none: Needs = new Map()
/** By list and language: who comes back to a list finds its columns as they were. */
const known = new Map<string, Needs>()
/** Milliseconds after which rows of a list whose columns are known are measured: not while its page is being drawn. */
const later = 200

/**
 * Pixels that the rows seen so far need in each column. They only become more: what rows say changes, and columns that
 * follow it both ways would move all the time. `id`: of the list; without it they are forgotten with the page.
 */
export function useColumnNeeds(scroller: RefObject<HTMLElement | null>, id: string | undefined) {
  const key = id === undefined ? '' : `${document.documentElement.lang} ${id}`
  const [needs, setNeeds] = useState(known.get(key) ?? none)
  useEffect(() => {
    if (key !== '' && needs !== none) known.set(key, needs)
  }, [key, needs])
  const measure = useCallback(
    (columns: readonly TableColumn<never>[]) => {
      const look = () => {
        const table = scroller.current
        // Only where some share what is left, or are never cut, is there anything to give.
        if (table && columns.some(({ width, uncut }) => width === undefined || uncut))
          setNeeds((before) => widened(before, measured(table)))
      }
      if (!known.has(key)) {
        look()
        return
      }
      const timer = setTimeout(look, later)
      return () => clearTimeout(timer)
    },
    [key, scroller],
  )
  return { needs, measure }
}

function measured(table: HTMLElement): Needs {
  mark(table, true)
  const found = new Map<string, number>()
  for (const cell of table.querySelectorAll<HTMLElement>('[data-column]')) {
    const id = cell.dataset['column'] ?? ''
    found.set(id, Math.max(found.get(id) ?? 0, Math.ceil(cell.getBoundingClientRect().width)))
  }
  mark(table, false)
  return found
}

function widened(before: Needs, found: Needs): Needs {
  const more = [...found].filter(([id, width]) => width > (before.get(id) ?? -1))
  return more.length === 0 ? before : new Map([...before, ...more])
}
