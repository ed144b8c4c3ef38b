import { MergeView, getChunks, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { lineNumbers } from '@codemirror/view'
import { EditorView, basicSetup } from 'codemirror'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { editorWords } from '../../i18n/translate.ts'
import { codeTheme } from './code-theme.ts'
import { documentYaml } from './embedded.ts'
import { useRoom } from '../use-room.ts'
import { deletedLineWrapping, lineWrapping } from './line-wrapping.ts'
import './diff.css'

export interface DiffViewProps {
  /** Left: what was. */
  before: string
  /** Right: what is, or will be. */
  after: string
  beforeLabel: string
  afterLabel: string
  /** Makes the right side editable and puts an arrow at each change that takes the left side's text over. */
  onChange?: (after: string) => void
  /** Word for the arrow that takes a change over. */
  takeLabel?: string
  /** In a frame as high as its texts, up to this height; without it, it fills its pane. */
  most?: string
}

const side = (label: string, editable: boolean, extra: Extension = []): Extension => [
  editable ? basicSetup : lineNumbers(),
  documentYaml,
  codeTheme,
  lineWrapping,
  EditorState.phrases.of(editorWords()),
  EditorState.readOnly.of(!editable),
  EditorView.editable.of(editable),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  extra,
]

function takeButton(label: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'diff-take'
  button.title = label
  button.setAttribute('aria-label', label)
  button.textContent = '→'
  return button
}

const folded = { margin: 3, minSize: 8 }
const diffConfig = { scanLimit: 2000, timeout: 300 }
/** Pixels that two sides need: beside each other in less, code breaks within its words. */
const leastBeside = 600

/** One text with what was above what is; begins at the first change. */
function unifiedView(parent: HTMLElement, before: string, after: string, label: string): EditorView {
  const view = new EditorView({
    parent,
    doc: after,
    extensions: side(label, false, [
      deletedLineWrapping,
      unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: folded, diffConfig }),
    ]),
  })
  const first = getChunks(view.state)?.chunks[0]
  const at = Math.min(first?.fromB ?? 0, view.state.doc.length)
  view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 40 }) })
  return view
}

/** Two texts side by side, changed lines and words marked, long unchanged stretches folded; as one text where there is little room. */
export function DiffView(props: DiffViewProps) {
  const { before, after, beforeLabel, afterLabel, onChange, takeLabel, most } = props
  const { language } = useTranslation().i18n
  const host = useRef<HTMLDivElement>(null)
  const editable = onChange !== undefined
  const room = useRoom(host)
  const unified = !editable && room > 0 && room < leastBeside
  const latest = useRef(onChange)
  useLayoutEffect(() => {
    latest.current = onChange
  })
  // An editable right side belongs to the user once it is shown: later values of `after` are his own edits coming back.
  const written = useRef(after)
  const shown = editable ? null : after

  useLayoutEffect(() => {
    if (!host.current) return
    if (unified) {
      const view = unifiedView(host.current, before, shown ?? '', afterLabel)
      return () => view.destroy()
    }
    const listener = EditorView.updateListener.of((update) => {
      if (!update.docChanged) return
      written.current = update.state.doc.toString()
      latest.current?.(written.current)
    })
    const merge = new MergeView({
      parent: host.current,
      a: { doc: before, extensions: side(beforeLabel, false) },
      b: { doc: shown ?? written.current, extensions: side(afterLabel, editable, listener) },
      collapseUnchanged: folded,
      diffConfig,
      ...(editable ? { revertControls: 'a-to-b', renderRevertControl: () => takeButton(takeLabel ?? '') } : {}),
    })
    return () => merge.destroy()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what editorWords says depends on the language
  }, [before, shown, beforeLabel, afterLabel, editable, unified, takeLabel, language])

  return (
    <div
      className="diff"
      data-framed={most === undefined ? undefined : true}
      data-unified={unified || undefined}
      style={{ maxHeight: most }}
    >
      <div className="diff-heads">
        <div>{beforeLabel}</div>
        <div>{afterLabel}</div>
      </div>
      <div ref={host} className="diff-body" />
    </div>
  )
}
