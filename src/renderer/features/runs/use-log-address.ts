import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { type LogLevel, logLevels } from '../../../contract/runs.ts'
import { type LineRange, formatLineRange, parseLineRange } from './line-range.ts'

/** What the address says about the log: the chosen lines, the search, the level. */
export interface LogAddress {
  lines: LineRange | null
  q: string
  level: LogLevel | null
  /** Shows only the lines that match the search. */
  only: boolean
}

export interface LogAddressChange {
  lines?: LineRange | null
  q?: string
  level?: LogLevel | null
  only?: boolean
}

export function useLogAddress(): [LogAddress, (change: LogAddressChange) => void] {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (wanted: LogAddressChange) => {
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          const set = (name: string, value: string | null) => (value ? next.set(name, value) : next.delete(name))
          if (wanted.lines !== undefined) set('line', wanted.lines && formatLineRange(wanted.lines))
          if (wanted.q !== undefined) set('q', wanted.q)
          if (wanted.level !== undefined) set('level', wanted.level)
          if (wanted.only !== undefined) set('only', wanted.only ? '1' : null)
          return next
        },
        { replace: true },
      )
    },
    [setSearch],
  )
  const address: LogAddress = {
    lines: parseLineRange(search.get('line')),
    q: search.get('q') ?? '',
    level: logLevels.find((level) => level === search.get('level')) ?? null,
    only: search.get('only') === '1',
  }
  return [address, change]
}
