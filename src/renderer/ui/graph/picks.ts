import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** Which node is selected, and which one the arrow keys are on. */
export interface Picked {
  selected: string | null
  active: string | null
}
export interface PickStore {
  get(): Picked
  set(next: Picked): void
  subscribe(listener: () => void): () => void
  /** Id of a node's element. */
  domId(id: string): string
}

function createPicks(prefix: string): PickStore {
  let picked: Picked = { selected: null, active: null }
  const listeners = new Set<() => void>()
  return {
    get: () => picked,
    set: (next) => {
      picked = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    domId: (id) => `${prefix}${id}`,
  }
}

/** Words are too small to be read. */
export const FarContext = createContext(false)

export const PickContext = createContext<PickStore>(createPicks(''))

/** Kept beside the nodes: of five hundred only the two are drawn anew whose selection moved. */
export function usePicks(prefix: string, selected: string | null, active: string | null): PickStore {
  const [store] = useState(() => createPicks(prefix))
  useLayoutEffect(() => store.set({ selected, active }), [store, selected, active])
  return store
}

export function usePicked(id: string): { selected: boolean; active: boolean; domId: string } {
  const store = use(PickContext)
  const selected = useSyncExternalStore(store.subscribe, () => store.get().selected === id)
  const active = useSyncExternalStore(store.subscribe, () => store.get().active === id)
  return { selected, active, domId: store.domId(id) }
}
