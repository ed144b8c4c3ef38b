import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { AddressChange } from '../../ui/use-address.ts'

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) globalThis.addEventListener('popstate', notify)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) globalThis.removeEventListener('popstate', notify)
  }
}

/** `useAddress` of a page that is the only one. */
export function usePageAddress(): [URLSearchParams, (change: AddressChange) => void] {
  const search = useSyncExternalStore(subscribe, () => location.search)
  const current = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback((values: AddressChange) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    history.replaceState(null, '', `${location.pathname}${text ? `?${text}` : ''}`)
    notify()
  }, [])
  return [current, change]
}
