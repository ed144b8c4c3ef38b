import type { Words } from '../../said.ts'

export const ai: Words = {
  reference_too_large: 'darf höchstens 1 MiB groß sein',
  references_full: 'Alle Referenzen zusammen dürfen höchstens 64 MiB groß sein. Eine nicht mehr benötigte löschen.',
  reference_unknown: 'Es gibt keine Referenz <id>',
}
