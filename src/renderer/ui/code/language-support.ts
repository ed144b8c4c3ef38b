import { type Action, type Diagnostic as EditorDiagnostic, setDiagnostics } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip } from '@codemirror/view'
import type { Hover } from '../../../language/hover.ts'
import { translateHint, translateMessage } from '../../i18n/translate.ts'
import { shortText } from '../document/reading.ts'
import type { EditorKnowledge, TextFinding } from './editor-knowledge.ts'
import { inline, renderMarkdown } from './markdown.ts'
import { type QuickFix, quickFix } from './quick-fix.ts'
import { hoverAt } from './sql-hover.ts'
import { offsetsOf } from './text-positions.ts'

/** What the key, value, column or function under the pointer means. */
export const taskHover = (knowledge: () => EditorKnowledge): Extension =>
  hoverWith((text, position) => hoverAt(text, position, knowledge()))

/** Shows what is found under the pointer. */
export const hoverWith = (find: (text: string, position: number) => Hover | null | Promise<Hover | null>): Extension =>
  hoverTooltip(async (view, position) => {
    // Each answer costs a reading of the text.
    if (view.state.doc.length > shortText) return null
    const found = await find(view.state.doc.toString(), position)
    if (!found) return null
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create: () => {
        const dom = renderMarkdown(found.markdown)
        dom.className = 'cm-completionInfo-like'
        dom.style.padding = '8px 10px'
        return { dom }
      },
    }
  })

function message(finding: TextFinding): Node {
  const box = document.createElement('div')
  const text = document.createElement('div')
  text.append(...inline(translateMessage(finding)))
  box.append(text)
  const advice = translateHint(finding)
  if (advice) {
    const hint = document.createElement('div')
    hint.style.opacity = '0.75'
    hint.style.marginTop = '2px'
    hint.append(...inline(advice))
    box.append(hint)
  }
  return box
}

/** The mending that a finding offers in the text as it is now. */
export function fixOf(view: EditorView, finding: TextFinding): QuickFix | null {
  const { from, to } = offsetsOf(view.state.doc, finding)
  return quickFix(view.state.doc.toString(), finding, from, to)
}

export function applyFix(view: EditorView, fix: QuickFix): void {
  view.dispatch({
    changes: fix,
    selection: { anchor: fix.from + fix.insert.length },
    userEvent: 'input.fix',
    scrollIntoView: true,
  })
  view.focus()
}

/** Shows the findings in the text; called whenever they were worked out anew. `fixLabel` words the button that mends one. */
export function showFindings(
  view: EditorView,
  findings: readonly TextFinding[],
  fixLabel: (insert: string) => string,
): void {
  const shown = findings.map((finding): EditorDiagnostic => {
    const fix = fixOf(view, finding)
    const actions: Action[] = fix
      ? [{ name: fixLabel(fix.insert), apply: (at) => applyFix(at, fixOf(at, finding) ?? fix) }]
      : []
    return {
      ...offsetsOf(view.state.doc, finding),
      severity: finding.severity,
      message: translateMessage(finding),
      renderMessage: () => message(finding),
      actions,
    }
  })
  view.dispatch(setDiagnostics(view.state, shown))
}
