import { Decoration, EditorView, MatchDecorator } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import { decorated } from './decorated.ts'

/** Deeper lines go on here, for a narrow side has to have room for their words. */
const deepest = 24

const lineOf = (indent: number) =>
  Decoration.line({
    attributes: { style: `padding-inline-start: calc(6px + ${indent}ch); text-indent: -${indent}ch` },
  })

const matcher = new MatchDecorator({
  regexp: /^ *[^ ]/g,
  decorate: (add, from, _to, [begin], { state }) => {
    // A very long line is looked at in parts.
    if (state.doc.lineAt(from).from === from) add(from, from, lineOf(Math.min(begin.length - 1, deepest) + 2))
  },
})

/** Long lines wrap and go on behind their own indent: at the beginning they would read as keys of the document. */
export const lineWrapping: Extension = [EditorView.lineWrapping, decorated(matcher)]
