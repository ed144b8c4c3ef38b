import { closeCompletion } from '@codemirror/autocomplete'
import { indentWithTab } from '@codemirror/commands'
import { type SQLNamespace, sql } from '@codemirror/lang-sql'
import { yaml } from '@codemirror/lang-yaml'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { EditorView, basicSetup } from 'codemirror'
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { editorWords } from '../../i18n/translate.ts'
import { codeTheme } from './code-theme.ts'
import { sqlDialects } from './sql-dialects.ts'

export interface QueryEditorHandle {
  focus(): void
  /** What is marked; empty: nothing. */
  marked(): { text: string; from: number }
}

export interface QueryEditorProps {
  value: string
  onChange: (text: string) => void
  /** `json`: objects; `text`: nothing is known of it. */
  language: 'postgres' | 'mysql' | 'sqlite' | 'duckdb' | 'json' | 'text'
  /** Tables and their columns, for completion. */
  schema: SQLNamespace
  /** Ctrl-Enter. */
  onRun: () => void
  label: string
  /** What the last run found wrong, and where. */
  mistake?: { from: number; to: number; message: string } | null
  ref?: Ref<QueryEditorHandle>
}

function languageOf({ language, schema }: Pick<QueryEditorProps, 'language' | 'schema'>): Extension {
  // JSON is YAML, too.
  if (language === 'json') return yaml()
  return language === 'text' ? [] : sql({ dialect: sqlDialects[language], schema, upperCaseKeywords: true })
}

/** Its words, and its name. */
const spokenParts = ({ label }: Pick<QueryEditorProps, 'label'>): Extension => [
  EditorState.phrases.of(editorWords()),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
]

/** Editor of a query in a system’s own language. Escape and then Tab leaves it. */
export function QueryEditor(props: QueryEditorProps) {
  const { value, language, schema, label, mistake = null, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const known = useRef(new Compartment())
  const spoken = useRef(new Compartment())

  useLayoutEffect(() => {
    if (!host.current) return
    const run = (running: EditorView) => {
      // A list that is open, or would open next, is in the way of what comes.
      closeCompletion(running)
      latest.current.onRun()
      return true
    }
    const created = new EditorView({
      parent: host.current,
      doc: latest.current.value,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        keymap.of([indentWithTab]),
        known.current.of(languageOf(latest.current)),
        codeTheme,
        spoken.current.of(spokenParts(latest.current)),
        EditorView.lineWrapping,
        // One that is still being looked for would open over the dialog that took the focus.
        EditorView.domEventHandlers({ blur: (_, blurred) => void closeCompletion(blurred) }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    view.current = created
    return () => {
      view.current = null
      created.destroy()
    }
  }, [])
  // Made anew, it would lose its history and what is marked.
  useEffect(() => {
    view.current?.dispatch({ effects: spoken.current.reconfigure(spokenParts({ label })) })
  }, [label])
  useEffect(() => {
    view.current?.dispatch({ effects: known.current.reconfigure(languageOf({ language, schema })) })
  }, [language, schema])
  useEffect(() => {
    const current = view.current
    if (!current || current.state.doc.toString() === value) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
  }, [value])
  const [from, to, message] = [mistake?.from, mistake?.to, mistake?.message]
  useEffect(() => {
    const current = view.current
    if (!current) return
    const isThere = from !== undefined && to !== undefined && message !== undefined && to <= current.state.doc.length
    current.dispatch(setDiagnostics(current.state, isThere ? [{ from, to, message, severity: 'error' }] : []))
  }, [from, to, message])
  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    marked() {
      const { state } = view.current ?? {}
      const { from = 0, to = 0 } = state?.selection.main ?? {}
      return { text: state?.sliceDoc(from, to) ?? '', from }
    },
  }))
  return <div ref={host} style={{ height: '100%', minHeight: 0, overflow: 'hidden' }} />
}
