import { acceptChunk, getChunks, getOriginalDoc, rejectChunk, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { lineNumbers } from '@codemirror/view'
import { EditorView } from 'codemirror'
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { editorWords } from '../../i18n/translate.ts'
import { codeTheme } from './code-theme.ts'
import { documentYaml } from './embedded.ts'
import { deletedLineWrapping, lineWrapping } from './line-wrapping.ts'
import './diff.css'

export interface HunkViewHandle {
  acceptAll(): void
}
export interface HunkViewProps {
  before: string
  after: string
  /** Spoken name. */
  label: string
  acceptLabel: string
  rejectLabel: string
  /** With each change that is taken over: the text with it. `left`: changes that are not decided. */
  onAccept: (text: string, left: number) => void
  onReject: (left: number) => void
  /** Asked when it comes: whether the keyboard goes to the first change. */
  takesFocus?: () => boolean
  ref?: Ref<HunkViewHandle>
}

/** Changes in one text, each with its buttons: what is accepted goes into the text at once, what is rejected disappears. */
export function HunkView(props: HunkViewProps) {
  const { before, after, label, acceptLabel, rejectLabel, ref } = props
  const { language } = useTranslation().i18n
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  /** What was decided in a view that is made again in another language: both texts as they were given, and as they are. */
  const decided = useRef<{ before: string; after: string; original: string; doc: string } | null>(null)
  useLayoutEffect(() => {
    latest.current = props
  })
  const left = (state: EditorState) => getChunks(state)?.chunks.length ?? 0

  useLayoutEffect(() => {
    if (!host.current) return
    const kept = decided.current
    const now = kept?.before === before && kept.after === after ? kept : { original: before, doc: after }
    const button = (type: 'accept' | 'reject', action: (event: MouseEvent) => void) => {
      const made = document.createElement('button')
      made.type = 'button'
      made.name = type
      made.textContent = type === 'accept' ? acceptLabel : rejectLabel
      // The library listens for the mouse alone; a click also comes from the keyboard.
      made.addEventListener('click', (event) => {
        event.preventDefault()
        action(event)
        // The button is gone with its change.
        if (created.dom.contains(document.activeElement)) return
        focusFirst(created)
        showFirst(created)
      })
      return made
    }
    const created = new EditorView({
      parent: host.current,
      doc: now.doc,
      extensions: [
        lineNumbers(),
        documentYaml,
        codeTheme,
        lineWrapping,
        deletedLineWrapping,
        EditorState.phrases.of(editorWords()),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        unifiedMergeView({
          original: now.original,
          mergeControls: button,
          collapseUnchanged: { margin: 2, minSize: 4 },
        }),
        EditorView.updateListener.of(({ state, startState, docChanged }) => {
          const original = getOriginalDoc(state)
          if (!original.eq(getOriginalDoc(startState))) latest.current.onAccept(original.toString(), left(state))
          else if (docChanged) latest.current.onReject(left(state))
        }),
      ],
    })
    view.current = created
    if (latest.current.takesFocus?.()) focusFirst(created)
    showFirst(created)
    return () => {
      const { state } = created
      decided.current = { before, after, original: getOriginalDoc(state).toString(), doc: state.doc.toString() }
      created.destroy()
      view.current = null
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what editorWords says depends on the language
  }, [before, after, label, acceptLabel, rejectLabel, language])

  // The same handle for as long as this is shown: who keeps it in a state would be drawn again by each new one.
  useImperativeHandle(
    ref,
    () => ({
      acceptAll() {
        const current = view.current
        if (!current) return
        const next = () => getChunks(current.state)?.chunks[0]
        for (let chunk = next(); chunk; chunk = next()) {
          // What cannot be taken over would be found again and again.
          if (!acceptChunk(current, chunk.fromB)) rejectChunk(current, chunk.fromB)
        }
      },
    }),
    [],
  )
  return <div ref={host} className="hunks" />
}

/** The first change that is not decided, or the text. */
function focusFirst({ dom, contentDOM }: EditorView): void {
  const accept = dom.querySelector<HTMLElement>('button[name=accept]') ?? contentDOM
  accept.focus()
}

/** The whole of it, where there is little room: what goes and what comes. */
function showFirst(view: EditorView): void {
  const first = getChunks(view.state)?.chunks[0]
  if (!first) return
  const at = Math.min(first.fromB, view.state.doc.length)
  view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'center' }) })
}
