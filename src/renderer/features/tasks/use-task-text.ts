import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { hasErrors } from '../../../language/diagnostics.ts'
import { type ParsedTask, parseTask } from '../../../language/task/parse-task.ts'
import { type StagePlace, stageLines } from './stage-lines.ts'
import { type TaskDraft, browserStore, dropDraft, keepDraft, recallDraft } from './task-draft.ts'

/** Milliseconds of stillness before the text is checked again. */
const checkDelay = 120
const draftDelay = 400

export interface TaskText {
  text: string
  setText(text: string): void
  /** Replaces the text by a saved one: nothing is unsaved any more. */
  reset(saved: string, version: number): void
  /** Text as it is saved, and the version that holds it. */
  saved: string
  version: number
  dirty: boolean
  /** The browser had no room or no leave to keep the draft. */
  unkept: boolean
  parsed: ParsedTask
  broken: boolean
  /** The text as it was last checked: `parsed` and `stages` are of it. */
  checked: string
  /** It has been checked as it is now. */
  settled: boolean
  stages: readonly StagePlace[]
  /** A draft that was kept from an earlier visit and stands in the editor now. */
  restored: TaskDraft | null
  dismissRestored(): void
}

/** Keeps what is typed in this browser until it is saved: soon after each pause, and at once when the page goes. */
function useDraft(key: number | 'new', text: string, dirty: boolean, version: number): boolean {
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

/** The text of a task while it is worked on: checked as it is typed, kept as a draft until it is saved. */
export function useTaskText(key: number | 'new', initial: string, initialVersion: number): TaskText {
  const [base, setBase] = useState({ saved: initial, version: initialVersion })
  const [restored, setRestored] = useState(() => recallDraft(browserStore(), key, initial))
  const [text, setText] = useState(restored?.text ?? initial)
  /** Version that the unsaved text is based on; a restored draft's may be an older one than is saved now. */
  const [basedOn, setBasedOn] = useState(restored?.version ?? initialVersion)
  const [settled] = useDebouncedValue(text, checkDelay)
  const parsed = useMemo(() => parseTask(settled), [settled])
  const stages = useMemo(() => stageLines(settled), [settled])
  const dirty = text !== base.saved
  const unkept = useDraft(key, text, dirty, basedOn)

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
    unkept,
    parsed,
    broken: hasErrors(parsed.diagnostics),
    checked: settled,
    settled: settled === text,
    stages,
    restored,
    dismissRestored: () => setRestored(null),
  }
}
