import { indentWithTab, isolateHistory, redo, undo } from '@codemirror/commands'
import { lintGutter } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { EditorView, basicSetup } from 'codemirror'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { editorWords } from '../../i18n/translate.ts'
import { codeTheme } from './code-theme.ts'
import { documentYaml } from './embedded.ts'
import { type EditorKnowledge, type TextFinding, knowsNothing } from './editor-knowledge.ts'
import { expressionMarks } from './expression-marks.ts'
import { inlinePart, showInline } from './inline-part.ts'
import { applyFix, fixOf, showFindings } from './language-support.ts'
import { lineWrapping } from './line-wrapping.ts'
import { type EditorLanguage, taskLanguage } from './editor-language.ts'
import { changeBetween, offsetAt } from './text-positions.ts'

export interface YamlEditorHandle {
  /** Puts the caret at a 1-based place and brings it into view. */
  reveal(line: number, column?: number, focus?: boolean): void
  /** Selects 1-based lines and brings the first into view; the keyboard stays where it is. */
  select(line: number, endLine: number): void
  focus(): void
  undo(): void
  redo(): void
  /** Mends what a finding is about, where it offers a mending. */
  fix(finding: TextFinding): void
}

export interface YamlEditorProps {
  value: string
  onChange?: (text: string) => void
  /** Line of the caret, 1-based, whenever it changes. */
  onCaretLine?: (line: number) => void
  findings?: readonly TextFinding[]
  /** The findings are of the text as it stands. While it is typed on, their marks move with it, or go with what is deleted. */
  settled?: boolean
  /** For completion and hover. */
  knowledge?: EditorKnowledge
  /** Which language the text is in; the same as long as the editor stands. */
  language?: EditorLanguage
  readOnly?: boolean
  /** The keyboard stands in it when it comes: in a dialog that is about it. */
  takesFocus?: boolean
  /** Spoken name of the editor. */
  label: string
  /** Keys of the page that must work inside the editor, too: return true when handled. */
  keys?: readonly { key: string; run: () => boolean }[]
  /** Shown below a 1-based line, above the text that follows. */
  inline?: { line: number; content: ReactNode } | null
  ref?: Ref<YamlEditorHandle>
}

/** Any other key ends it before. */
const leaveWithinMs = 60_000

const readOnlyParts = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
]

/** Words of the editor itself, and its name. */
const spokenParts = ({ label, takesFocus = false }: Pick<YamlEditorProps, 'label' | 'takesFocus'>): Extension => [
  EditorState.phrases.of(editorWords()),
  // Dialogs ask for `data-autofocus` a moment after they opened.
  EditorView.contentAttributes.of({
    'aria-label': label,
    tabindex: '0',
    ...(takesFocus ? { 'data-autofocus': 'true' } : {}),
  }),
]

/** Editor of the YAML of a task or job template. Tab indents; Escape and then Tab leaves the editor. */
export function YamlEditor(props: YamlEditorProps) {
  const { value, findings, settled = true, readOnly = false, label, ref } = props
  const { language = taskLanguage, inline = null } = props
  const { t } = useTranslation()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  // The view lives as long as the component; it reads what changes from render to render here.
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const editable = useRef(new Compartment())
  const spoken = useRef(new Compartment())
  const [inlineHost] = useState(() => document.createElement('div'))
  const inlineLine = inline?.line ?? null

  useLayoutEffect(() => {
    if (!host.current) return
    const created = new EditorView({
      parent: host.current,
      doc: latest.current.value,
      extensions: [
        Prec.highest(keymap.of([{ any: (_view, event) => runPageKey(event, latest.current.keys ?? []) }])),
        basicSetup,
        keymap.of([indentWithTab, { key: 'Mod-.', run: (view) => fixAtCaret(view, latest.current.findings ?? []) }]),
        documentYaml,
        lintGutter(),
        expressionMarks,
        inlinePart,
        language(() => latest.current.knowledge ?? knowsNothing),
        codeTheme,
        lineWrapping,
        EditorState.tabSize.of(2),
        spoken.current.of(spokenParts(latest.current)),
        editable.current.of(readOnlyParts(latest.current.readOnly ?? false)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          const line = caretLine(update.state)
          if (line !== caretLine(update.startState)) latest.current.onCaretLine?.(line)
        }),
      ],
    })
    // After an Escape that closed nothing, Tab leaves; CodeMirror would give two seconds for that, and hands may need longer.
    created.dom.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) created.setTabFocusMode(leaveWithinMs)
    })
    view.current = created
    if (latest.current.takesFocus) created.focus()
    return () => {
      view.current = null
      created.destroy()
    }
  }, [language])

  // Before its content comes to life in it and takes the keyboard.
  useLayoutEffect(() => {
    const current = view.current
    if (!current || inlineLine === null) return undefined
    const at = offsetAt(current.state.doc, inlineLine, 1)
    const effects = [showInline.of({ at, dom: inlineHost }), EditorView.scrollIntoView(at, { yMargin: 80 })]
    current.dispatch({ effects })
    return () => view.current?.dispatch({ effects: showInline.of(null) })
  }, [inlineLine, inlineHost])
  useEffect(() => {
    const current = view.current
    if (!current || current.state.doc.toString() === value) return
    // Only what differs: the caret and what is folded stay where they are. Undo takes back one such change at a time.
    current.dispatch({
      changes: changeBetween(current.state.doc.toString(), value),
      annotations: isolateHistory.of('full'),
    })
  }, [value])
  // In another language the view stays, with its history, its caret, and what stands in its text.
  useEffect(() => {
    const { activeElement } = document
    view.current?.dispatch({ effects: spoken.current.reconfigure(spokenParts({ ...latest.current, label })) })
    // New words make the view anew around its text.
    if (activeElement instanceof HTMLElement && inlineHost.contains(activeElement))
      activeElement.focus({ preventScroll: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what editorWords says depends on the language
  }, [label, t, inlineHost])
  useEffect(() => {
    view.current?.dispatch({ effects: editable.current.reconfigure(readOnlyParts(readOnly)) })
  }, [readOnly])
  useEffect(() => {
    if (view.current && findings && settled)
      showFindings(view.current, findings, (word) => t('code.replaceBy', { word }))
  }, [findings, settled, t])

  useImperativeHandle(ref, () => ({
    reveal(line, column = 1, focus = true) {
      const current = view.current
      if (!current) return
      const anchor = offsetAt(current.state.doc, line, column)
      current.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      if (focus) current.focus()
    },
    select(line, endLine) {
      const current = view.current
      if (!current) return
      const { doc } = current.state
      const first = doc.lineAt(offsetAt(doc, line, 1))
      const anchor = first.from + first.text.search(/\S|$/)
      const head = doc.lineAt(offsetAt(doc, endLine, 1)).to
      current.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    },
    focus: () => view.current?.focus(),
    undo: () => view.current && undo(view.current),
    redo: () => view.current && redo(view.current),
    fix(finding) {
      const fix = view.current && fixOf(view.current, finding)
      if (view.current && fix) applyFix(view.current, fix)
    },
  }))

  return (
    <>
      <div ref={host} style={{ height: '100%', minHeight: 0, overflow: 'hidden' }} />
      {inline ? createPortal(inline.content, inlineHost) : null}
    </>
  )
}

/** Mends the first finding on the caret's line that offers a mending. */
function fixAtCaret(view: EditorView, findings: readonly TextFinding[]): boolean {
  const line = caretLine(view.state)
  for (const finding of findings) {
    const fix = finding.line <= line && finding.end_line >= line ? fixOf(view, finding) : null
    if (!fix) continue
    applyFix(view, fix)
    return true
  }
  return false
}

function caretLine(state: EditorState): number {
  return state.doc.lineAt(state.selection.main.head).number
}

/** Keys are written `Mod-Enter`, `Mod-Shift-Enter`; Mod is Cmd on a Mac and Ctrl elsewhere. */
function runPageKey(event: KeyboardEvent, keys: NonNullable<YamlEditorProps['keys']>): boolean {
  if (!event.ctrlKey && !event.metaKey) return false
  const name = `Mod-${event.shiftKey ? 'Shift-' : ''}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
  const handled = keys.find((entry) => entry.key === name)?.run() ?? false
  if (handled) event.preventDefault()
  return handled
}
