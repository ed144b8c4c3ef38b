import { useEffect, useState } from 'react'
import type { RunReject } from '../../../contract/run-rejects.ts'
import { browserStore } from '../../ui/document/draft.ts'
import { type RejectEdits, noEdits, readEdits } from './fix-rejects.rules.ts'

/** Edits of one start’s rows: kept in this browser until they are rerun, and undone step by step. */
export function useRejectEdits(runId: number, step: string, rejects: readonly RunReject[]) {
  const key = `headgate.run.${runId}.rejects.${step}`
  const [{ edits, before }, setState] = useState(() => ({
    edits: readEdits(browserStore()?.getItem(key) ?? null, rejects) ?? noEdits,
    before: [] as readonly RejectEdits[],
  }))
  const [kept, setKept] = useState(true)
  useEffect(() => {
    const store = browserStore()
    try {
      if (edits === noEdits) store?.removeItem(key)
      else store?.setItem(key, JSON.stringify(edits))
      setKept(store !== null)
    } catch {
      // No room.
      setKept(false)
    }
  }, [edits, key])
  return {
    edits,
    /** false: a reload would lose them. */
    kept,
    change: (next: RejectEdits) => setState((now) => ({ edits: next, before: [...now.before, now.edits] })),
    undo: before.length === 0 ? null : () => setState({ edits: before.at(-1) ?? noEdits, before: before.slice(0, -1) }),
    discard: () => setState((now) => ({ edits: noEdits, before: [...now.before, now.edits] })),
    /** They were rerun. */
    forget: () => browserStore()?.removeItem(key),
  }
}
