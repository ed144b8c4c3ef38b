import { createSpotlight } from '@mantine/spotlight'
import { useSyncExternalStore } from 'react'
import { typedAhead } from './palette.rules.ts'

export type PaletteMode = 'commands' | 'records'

export const [paletteStore, palette] = createSpotlight()

let mode: PaletteMode = 'commands'
let query = ''
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How the palette was opened last. */
export const usePaletteMode = () => useSyncExternalStore(subscribe, () => mode)

/** What stands in its field. */
export const usePaletteQuery = () => useSyncExternalStore(subscribe, () => query)

/** The open palette shows the other of its two faces. */
export function setPaletteMode(next: PaletteMode): void {
  mode = next
  for (const listener of listeners) listener()
}

/** What somebody typed into its field; `>` leads to the commands. */
export function setPaletteQuery(next: string): void {
  const commands = mode === 'records' && next.startsWith('>')
  query = commands ? next.slice(1).trimStart() : next
  setPaletteMode(commands ? 'commands' : mode)
}

export const paletteListId = 'palette-list'

const listElement = () => document.getElementById(paletteListId)

/** Enter was pressed before there was anything to open. */
let entered = false

/** Enter counts: what is the best once everything was looked up is opened then. Another key takes it back. */
export function enterLater(later: boolean): void {
  entered = later
}

/** Opens the chosen entry, if Enter was pressed before it was there. */
export function openIfEntered(): void {
  if (!entered) return
  entered = false
  listElement()?.querySelector<HTMLElement>('[data-selected]')?.click()
}

/**
 * After its entries have changed: the chosen one stays chosen if somebody chose it and it is still there, else the first is. Mantine
 * keeps the choice as a mark in the page and a number, and makes it again only when the text changes.
 */
export function keepChosen(byUser: boolean): void {
  const list = listElement()
  const entries = [...(list?.querySelectorAll('[data-action]') ?? [])]
  const marked = entries.findIndex((entry) => entry.hasAttribute('data-selected'))
  const selected = byUser && marked >= 0 ? marked : 0
  for (const [index, entry] of entries.entries()) entry.toggleAttribute('data-selected', index === selected)
  paletteStore.updateState((state) => ({ ...state, selected }))
}

/** Its field has the focus this long after it was opened, or never: its code could not be fetched. */
const patienceMs = 5000
let openedAt = 0

/** Between opening and the focus: what is typed belongs to the field, and is no key of the page. */
function hearAhead(event: KeyboardEvent): void {
  const ready = document.activeElement?.matches('[data-palette-field]') ?? false
  if (ready || !paletteStore.getState().opened || event.timeStamp - openedAt > patienceMs) {
    globalThis.removeEventListener('keydown', hearAhead, true)
    return
  }
  const next = typedAhead(query, event)
  if (next === null) return
  event.preventDefault()
  event.stopImmediatePropagation()
  enterLater(event.key === 'Enter' && query.trim() !== '')
  setPaletteQuery(next)
}

export const paletteIsOpen = () => paletteStore.getState().opened

/** Opens the palette: `commands` lists them first, `records` opens anything by name or number. */
export function openPalette(next: PaletteMode): void {
  setPaletteMode(next)
  enterLater(false)
  palette.open()
  openedAt = performance.now()
  globalThis.addEventListener('keydown', hearAhead, true)
}
