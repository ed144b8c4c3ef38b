import { useCallback } from 'react'
import { type LogLevel, logLevels } from '../../../contract/runs.ts'
import { useAddress } from '../../ui/use-address.ts'
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
  const [search, set] = useAddress()
  const change = useCallback(
    ({ lines, q, level, only }: LogAddressChange) =>
      set({
        line: lines && formatLineRange(lines),
        q,
        level,
        only: only === undefined ? undefined : only ? '1' : null,
      }),
    [set],
  )
  const address: LogAddress = {
    lines: parseLineRange(search.get('line')),
    q: search.get('q') ?? '',
    level: logLevels.find((level) => level === search.get('level')) ?? null,
    only: search.get('only') === '1',
  }
  return [address, change]
}
