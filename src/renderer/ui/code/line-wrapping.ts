import { Decoration, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import { decorated } from './decorated.ts'

const beginning = /^ *[^ ]/
/** Deeper lines go on here, for a narrow side has to have room for their words. */
const deepest = 24

/** How far what a line goes on with stands behind its beginning; `begin`: its blanks and its first letter. */
const hangOf = (begin: string) => Math.min(begin.length - 1, deepest) + 2

const lineOf = (indent: number) =>
  Decoration.line({
    attributes: { style: `padding-inline-start: calc(6px + ${indent}ch); text-indent: -${indent}ch` },
  })

const matcher = new MatchDecorator({
  regexp: new RegExp(beginning, 'g'),
  decorate: (add, from, _to, [begin], { state }) => {
    // A very long line is looked at in parts.
    if (state.doc.lineAt(from).from === from) add(from, from, lineOf(hangOf(begin)))
  },
})

/** Long lines wrap and go on behind their own indent: at the beginning they would read as keys of the document. */
export const lineWrapping: Extension = [EditorView.lineWrapping, decorated(matcher)]

/** The same for lines that a change removes. They are no lines of the text but parts of a widget, which no decoration reaches. */
export const deletedLineWrapping: Extension = ViewPlugin.define((view) => {
  const hang = {
    read: () =>
      [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-deletedLine')].filter(
        (line) => line.style.textIndent === '',
      ),
    write(lines: readonly HTMLElement[]) {
      for (const line of lines) {
        const indent = hangOf(beginning.exec(line.textContent)?.[0] ?? ' ')
        line.style.paddingInlineStart = `${indent}ch`
        line.style.textIndent = `-${indent}ch`
      }
      // They are as high as they are now.
      if (lines.length > 0) view.requestMeasure()
    },
  }
  view.requestMeasure(hang)
  return { update: () => view.requestMeasure(hang) }
})
