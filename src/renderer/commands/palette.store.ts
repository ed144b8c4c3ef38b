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

/** Opens the palette: `commands` lists them first, `records` searches tasks, connectors and runs alone. */
export function openPalette(next: PaletteMode): void {
  mode = next
  for (const listener of listeners) listener()
  palette.open()
}
