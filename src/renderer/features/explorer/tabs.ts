/** Tabs of the Explorer: what was typed, kept in this browser for each user, so that a restart brings it back. */
import { useCallback, useSyncExternalStore } from 'react'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { type ResultLook, lookOf } from './result-look.rules.ts'
import type { ParameterValues } from './statements.rules.ts'

export interface ExplorerTab {
  id: string
  connectorId: number
  title: string
  text: string
  /** The table or file that it began with. */
  resource: string | null
  presetId: number | null
  /** The conditions of the builder; undefined: it was never used. */
  definition?: ExplorerPresetDefinition
  /** Of parameters, as they were given last. */
  values?: ParameterValues
  /** Whether the builder is in sight, rather than the text. */
  builder?: boolean
  /** How its result is shown; undefined: as a table. */
  look?: ResultLook
}
interface Tabs {
  tabs: readonly ExplorerTab[]
  active: string | null
}

/** The title, or the first of `orders 2`, `orders 3`, … that no tab has yet. */
export function freeTitle(title: string, tabs: readonly Pick<ExplorerTab, 'title'>[]): string {
  const taken = new Set(tabs.map((tab) => tab.title))
  if (!taken.has(title)) return title
  let number = 2
  while (taken.has(`${title} ${number}`)) number++
  return `${title} ${number}`
}

const none: Tabs = { tabs: [], active: null }
const keyOf = (userId: number) => `headgate.explorer.${userId}`
const listeners = new Set<() => void>()
const known = new Map<number, Tabs>()

function isTab(value: unknown): value is ExplorerTab {
  const tab = value as Partial<ExplorerTab> | null // whatever an older window has left
  return (
    typeof tab?.id === 'string' &&
    typeof tab.connectorId === 'number' &&
    typeof tab.title === 'string' &&
    typeof tab.text === 'string'
  )
}

/** What the text of the storage means; what cannot be read is nothing. */
export function tabsOf(text: string | null): Tabs {
  try {
    const { tabs, active } = JSON.parse(text ?? '{}') as Partial<Tabs>
    const sound = Array.isArray(tabs)
      ? tabs.filter(isTab).map((tab) => (tab.look ? { ...tab, look: lookOf(tab.look) } : tab))
      : []
    return { tabs: sound, active: sound.some(({ id }) => id === active) ? (active ?? null) : (sound[0]?.id ?? null) }
  } catch {
    return none
  }
}

function current(userId: number): Tabs {
  const held = known.get(userId)
  if (held) return held
  const read = tabsOf(localStorage.getItem(keyOf(userId)))
  known.set(userId, read)
  return read
}

function put(userId: number, next: Tabs): void {
  known.set(userId, next)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(next))
  } catch {
    // The browser has no room: the tabs last as long as the window.
  }
  for (const listener of listeners) listener()
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTabs(userId: number) {
  const state = useSyncExternalStore(listen, () => current(userId))
  const change = useCallback((make: (now: Tabs) => Tabs) => put(userId, make(current(userId))), [userId])
  return {
    ...state,
    open: (tab: Omit<ExplorerTab, 'id'>): string => {
      const id = crypto.randomUUID()
      change(({ tabs }) => ({ tabs: [...tabs, { ...tab, id, title: freeTitle(tab.title, tabs) }], active: id }))
      return id
    },
    show: (id: string) => change((now) => ({ ...now, active: id })),
    edit: (id: string, part: Partial<Omit<ExplorerTab, 'id'>>) =>
      change((now) => ({ ...now, tabs: now.tabs.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)) })),
    close: (id: string) =>
      change(({ tabs, active }) => {
        const at = tabs.findIndex((tab) => tab.id === id)
        const left = tabs.filter((tab) => tab.id !== id)
        return { tabs: left, active: active === id ? (left[Math.min(at, left.length - 1)]?.id ?? null) : active }
      }),
  }
}
export type ExplorerTabs = ReturnType<typeof useTabs>
