import { Decoration, MatchDecorator } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import { decorated } from './decorated.ts'

const mark = Decoration.mark({ class: 'cm-expression' })

/** `$${{` is an escape, not an expression: it is stepped over so that it is not coloured. */
const matcher = new MatchDecorator({
  regexp: /\$\$\{\{|\$\{\{[^}]*(?:\}(?!\})[^}]*)*\}\}/g,
  decorate: (add, from, to, match) => {
    if (match[0] !== '$${{') add(from, to, mark)
  },
})

/** Colours `${{ … }}` wherever it stands in the text. */
export const expressionMarks: Extension = decorated(matcher)
