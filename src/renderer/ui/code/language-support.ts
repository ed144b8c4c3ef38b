import {
  type CompletionContext,
  type CompletionResult,
  type Completion as EditorCompletion,
} from '@codemirror/autocomplete'
import { type Diagnostic as EditorDiagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip } from '@codemirror/view'
import { type Completion, completeTask } from '../../../language/complete.ts'
import type { Diagnostic } from '../../../language/diagnostics.ts'
import { hoverTask } from '../../../language/hover.ts'
import { inline, renderMarkdown } from './markdown.ts'
import { offsetsOf } from './text-positions.ts'

export interface ConnectorName {
  name: string
  type: string
}

function toOption(completion: Completion): EditorCompletion {
  return {
    label: completion.label,
    ...(completion.detail ? { detail: completion.detail } : {}),
    type: completion.kind,
    apply: (view, _chosen, _from, to) => {
      // The language says what is replaced; the caret may have moved on since it was asked.
      const end = Math.max(to, Math.min(completion.to, view.state.doc.length))
      view.dispatch({
        changes: { from: completion.from, to: end, insert: completion.insert },
        selection: { anchor: completion.from + completion.insert.length },
        userEvent: 'input.complete',
      })
    },
    ...(completion.documentation ? { info: () => renderMarkdown(completion.documentation ?? '') } : {}),
  }
}

/** Keys, values, slots, arguments and connectors that fit at the caret. */
export function taskCompletion(connectors: () => readonly ConnectorName[]): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w.$-]*/)
    if (!context.explicit && (!word || word.from === word.to) && !afterSeparator(context)) return null
    const found = completeTask(context.state.doc.toString(), context.pos, { connectors: [...connectors()] })
    const first = found[0]
    if (!first) return null
    return { from: Math.min(first.from, context.pos), options: found.map(toOption), validFor: /^[\w.$-]*$/ }
  }
  return EditorState.languageData.of(() => [{ autocomplete: source }])
}

/** `key: |`, `- |` and `[|` ask for a value as clearly as a typed letter does. */
function afterSeparator(context: CompletionContext): boolean {
  return context.matchBefore(/(?:: |- |\[|, |\{\{ ?)$/) !== null
}

/** What the key or value under the pointer means. */
export const taskHover: Extension = hoverTooltip((view, position) => {
  const found = hoverTask(view.state.doc.toString(), position)
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

function message(diagnostic: Diagnostic): Node {
  const box = document.createElement('div')
  const text = document.createElement('div')
  text.append(...inline(diagnostic.message))
  box.append(text)
  if (diagnostic.hint) {
    const hint = document.createElement('div')
    hint.style.opacity = '0.75'
    hint.style.marginTop = '2px'
    hint.append(...inline(diagnostic.hint))
    box.append(hint)
  }
  return box
}

/** Shows the findings in the text; called whenever they were worked out anew. */
export function showDiagnostics(view: EditorView, diagnostics: readonly Diagnostic[]): void {
  const shown: EditorDiagnostic[] = diagnostics.map((diagnostic) => ({
    ...offsetsOf(view.state.doc, diagnostic),
    severity: diagnostic.severity,
    message: diagnostic.message,
    renderMessage: () => message(diagnostic),
  }))
  view.dispatch(setDiagnostics(view.state, shown))
}
