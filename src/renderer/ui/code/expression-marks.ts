import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import type { Extension } from '@codemirror/state'

const mark = Decoration.mark({ class: 'cm-expression' })

/** `$${{` is an escape, not an expression: it is stepped over so that it is not coloured. */
const matcher = new MatchDecorator({
  regexp: /\$\$\{\{|\$\{\{[^}]*(?:\}(?!\})[^}]*)*\}\}/g,
  decorate: (add, from, to, match) => {
    if (match[0] !== '$${{') add(from, to, mark)
  },
})

/** Colours `${{ … }}` wherever it stands in the text. */
export const expressionMarks: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = matcher.updateDeco(update, this.decorations)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)
