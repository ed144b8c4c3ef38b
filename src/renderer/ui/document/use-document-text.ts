import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ParsedText, Reader } from './document.types.ts'
import { type Draft, type DraftKey, browserStore, dropDraft, keepDraft, recallDraft } from './draft.ts'
import { handedTexts } from './handed-text.ts'
import { useReading } from './reading.ts'

/** Milliseconds of stillness before the text is checked again. */
const checkDelay = 120
const draftDelay = 400

export interface DocumentText<Parsed extends ParsedText = ParsedText> {
  text: string
  setText(text: string): void
  /** Replaces the text by a saved one: nothing is unsaved any more. */
  reset(saved: string, version: number): void
  /** Text as it is saved, and the version that holds it. */
  saved: string
  version: number
  dirty: boolean
  /** A new one in which nothing was written yet: what it lacks is no mistake. */
  untouched: boolean
  /** The browser had no room or no leave to keep the draft. */
  unkept: boolean
  parsed: Parsed
  broken: boolean
  /** The text as it was last checked: `parsed` is of it. */
  checked: string
  /** It has been checked as it is now. */
  settled: boolean
  /** Too long to be read at once, and not read yet: nothing is known of it. */
  unread: boolean
  /** A draft that was kept from an earlier visit and stands in the editor now. */
  restored: Draft | null
  dismissRestored(): void
}

/** Keeps what is typed in this browser until it is saved: soon after each pause, and at once when the page goes. */
function useDraft(key: DraftKey, text: string, dirty: boolean, version: number): boolean {
  const [unkept, setUnkept] = useState(false)
  useEffect(() => {
    const keep = () => {
      if (!dirty) dropDraft(browserStore(), key)
      else setUnkept(!keepDraft(browserStore(), key, { text, version, at: new Date().toISOString() }))
    }
    const timer = setTimeout(keep, draftDelay)
    globalThis.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      globalThis.removeEventListener('pagehide', keep)
    }
  }, [key, text, dirty, version])
  // Leaving the page within the app may come before the pause is over.
  const latest = useRef({ text, dirty, version })
  useEffect(() => {
    latest.current = { text, dirty, version }
  })
  useEffect(
    () => () => {
      const { dirty: unsaved, ...draft } = latest.current
      if (unsaved) keepDraft(browserStore(), key, { ...draft, at: new Date().toISOString() })
    },
    [key],
  )
  return unkept
}

/** A text while it is worked on: checked as it is typed, kept as a draft until it is saved. The reader stays the same. */
export function useDocumentText<Parsed extends ParsedText>(
  key: DraftKey,
  initial: string,
  initialVersion: number,
  reader: Reader<Parsed>,
): DocumentText<Parsed> {
  const [base, setBase] = useState({ saved: initial, version: initialVersion })
  const [restored, setRestored] = useState(() => recallDraft(browserStore(), key, initial))
  const [text, setText] = useState(restored?.text ?? initial)
  /** Version that the unsaved text is based on; a restored draft's may be an older one than is saved now. */
  const [basedOn, setBasedOn] = useState(restored?.version ?? initialVersion)
  const [still] = useDebouncedValue(text, checkDelay)
  const { parsed, of } = useReading(reader, still)
  const dirty = text !== base.saved
  const unkept = useDraft(key, text, dirty, basedOn)

  // A text from a file takes the place of what stands here, as if it were typed.
  useEffect(
    () =>
      handedTexts.take(key, (handed) => {
        setText(handed)
        setBasedOn(base.version)
        setRestored(null)
      }),
    [key, base.version],
  )
  const reset = useCallback(
    (saved: string, version: number) => {
      dropDraft(browserStore(), key)
      setBasedOn(version)
      setBase({ saved, version })
      setText(saved)
      setRestored(null)
    },
    [key],
  )
  return {
    text,
    setText,
    reset,
    saved: base.saved,
    version: base.version,
    dirty,
    untouched: base.version === 0 && !dirty,
    unkept,
    parsed,
    broken: parsed.diagnostics.some((one) => one.severity === 'error'),
    checked: of ?? '',
    settled: of === text,
    unread: of === null,
    restored,
    dismissRestored: () => setRestored(null),
  }
}
