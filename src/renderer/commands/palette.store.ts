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

/** Opens the palette: `commands` lists them first, `records` opens anything by name or number. */
export function openPalette(next: PaletteMode): void {
  setPaletteMode(next)
  palette.open()
}
