/** A small part of the page at a line of the text: a prompt, for instance. It moves with its line. */
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { type Tooltip, showTooltip } from '@codemirror/view'

interface Inline {
  /** Offset in the text. */
  at: number
  dom: HTMLElement
}
/** null: takes it away. */
export const showInline = StateEffect.define<Inline | null>()

const tooltipOf = ({ at, dom }: Inline): Tooltip => ({ pos: at, above: false, create: () => ({ dom }) })

export const inlinePart: Extension = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, { effects, changes, docChanged }) {
    for (const effect of effects) if (effect.is(showInline)) return effect.value && tooltipOf(effect.value)
    return tooltip && docChanged ? { ...tooltip, pos: changes.mapPos(tooltip.pos) } : tooltip
  },
  provide: (field) => showTooltip.from(field),
})
