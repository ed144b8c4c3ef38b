import { createSpotlight } from '@mantine/spotlight'
import { useSyncExternalStore } from 'react'

export type PaletteMode = 'commands' | 'records'

export const [paletteStore, palette] = createSpotlight()

let mode: PaletteMode = 'commands'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How the palette was opened last. */
export const usePaletteMode = () => useSyncExternalStore(subscribe, () => mode)

/** The open palette shows the other of its two faces. */
export function setPaletteMode(next: PaletteMode): void {
  mode = next
  for (const listener of listeners) listener()
}

/**
 * After its entries have changed: the chosen one stays chosen if somebody chose it and it is still there, else the first is. Mantine
 * keeps the choice as a mark in the page and a number, and makes it again only when the text changes.
 */
export function keepChosen(byUser: boolean): void {
  const list = document.getElementById(paletteStore.getState().listId)
  const entries = [...(list?.querySelectorAll('[data-action]') ?? [])]
  const marked = entries.findIndex((entry) => entry.hasAttribute('data-selected'))
  const selected = byUser && marked >= 0 ? marked : 0
  for (const [index, entry] of entries.entries()) entry.toggleAttribute('data-selected', index === selected)
  paletteStore.updateState((state) => ({ ...state, selected }))
}

/** Opens the palette: `commands` lists them first, `records` opens anything by name or number. */
export function openPalette(next: PaletteMode): void {
  setPaletteMode(next)
  palette.open()
}
