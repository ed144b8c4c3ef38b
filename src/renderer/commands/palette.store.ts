import { createSpotlight } from '@mantine/spotlight'

export type PaletteMode = 'commands' | 'records'

export const [paletteStore, palette] = createSpotlight()

let mode: PaletteMode = 'commands'

/** How the palette was opened last. */
export const paletteMode = () => mode

/** Opens the palette: `commands` lists them first, `records` searches tasks, connectors and runs alone. */
export function openPalette(next: PaletteMode): void {
  mode = next
  palette.open()
}
