import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'

export type AddressChange = Readonly<Record<string, string | null | undefined>>

/**
 * The query of the address and a way to change parts of it. What is changed is the address as it is at that moment, not as it was
 * when the component was drawn: answers that arrive late do not undo what was chosen meanwhile. Null takes a part out, undefined
 * leaves it.
 */
export function useAddress(): [URLSearchParams, (change: AddressChange) => void] {
  const location = useLocation()
  const { search } = location
  // Of any shape: it is handed on as it is.
  const state: unknown = location.state
  const navigate = useNavigate()
  const current = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback(
    (values: AddressChange) => {
      const next = new URLSearchParams(globalThis.location.search)
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) continue
        if (value === null || value === '') next.delete(name)
        else next.set(name, value)
      }
      // What the page was opened with, such as the text of a copy, stays with it.
      void navigate({ search: next.toString() }, { replace: true, preventScrollReset: true, flushSync: true, state })
    },
    [navigate, state],
  )
  return [current, change]
}

/** A number of a record in an address; undefined where it is none. */
export function wholeNumber(text: string | null): number | undefined {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
