import { notifications } from '@mantine/notifications'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../api/queries.ts'
import { everySoOften } from './perform.rules.ts'
import type { Progress } from './use-list-actions.tsx'

/** `readAll` is missing where all rows are always loaded. */
export type SelectableList<Row> = Omit<ListState<Row>, 'rows' | 'readAll'> &
  Partial<Pick<ListState<Row>, 'readAll'>> & { rows: readonly Row[] }
type Keys = ReadonlySet<string>

const none: Keys = new Set()
const noRows: readonly never[] = []
/** More are not selected at once: an action is a request for each. */
const mostSelected = 10_000

/** The selected rows of a list: loaded ones, and, when all that match were asked for, those beyond. */
export function useSelection<Row>(list: SelectableList<Row>, rowKey: (row: Row) => string | number) {
  const { t } = useTranslation('lists')
  const { rows, readAll, total = 0, hasNext } = list
  const [selected, select] = useState(none)
  /** What was read of all that match, for as long as the list asks the same. */
  const [read, setRead] = useState<{ by: typeof readAll; rows: readonly Row[] } | null>(null)
  const [reading, setReading] = useState<Progress | null>(null)
  const stopping = useRef<AbortController | null>(null)
  const latest = useRef(readAll)
  useEffect(() => {
    latest.current = readAll
  })
  useEffect(() => () => stopping.current?.abort(), [])

  const whole = read && read.by === readAll ? read.rows : noRows
  // What left the list, by a filter or because it was archived, is not acted upon.
  const chosen = useMemo(() => {
    if (selected.size === 0) return noRows
    const loaded = new Set<string>()
    const found: Row[] = []
    for (const row of rows) {
      const key = String(rowKey(row))
      loaded.add(key)
      if (selected.has(key)) found.push(row)
    }
    for (const row of whole) {
      const key = String(rowKey(row))
      if (selected.has(key) && !loaded.has(key)) found.push(row)
    }
    return found
  }, [rows, whole, selected, rowKey])

  const clear = useCallback(() => {
    select(none)
    setRead(null)
  }, [])

  /** After something was done: what was refused stays selected. */
  const leave = useCallback(
    (refused: readonly Row[]) => {
      if (refused.length === 0) return clear()
      setRead((now) => now && { ...now, rows: refused })
    },
    [clear],
  )

  const count = Math.min(total, mostSelected)
  const onSelect = async () => {
    if (!readAll) return
    const stop = new AbortController()
    stopping.current?.abort()
    stopping.current = stop
    const show = (done: number) =>
      setReading({ label: t('selected.reading'), done, total: count, stop: () => stop.abort() })
    show(0)
    try {
      const all = await readAll({ most: mostSelected, signal: stop.signal, onRead: everySoOften(show) })
      // The list asks something else by now: these are not what it shows.
      if (latest.current !== readAll) return
      setRead({ by: readAll, rows: all })
      select(new Set(all.map((row) => String(rowKey(row)))))
    } catch (error) {
      if (!stop.signal.aborted) {
        const reason = error instanceof Error ? error.message : String(error)
        notifications.show({ color: 'red', message: t('selected.readFailed', { reason }) })
      }
    } finally {
      if (stopping.current === stop) setReading(null)
    }
  }
  const beyond =
    readAll && hasNext && selected.size > 0 && whole.length === 0
      ? { count, first: total > mostSelected, onSelect: () => void onSelect() }
      : null
  return { selected, chosen, select, clear, leave, beyond, reading }
}
