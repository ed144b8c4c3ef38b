import type { KeyValueStore } from './run-inputs.ts'

/** Text that was typed and not saved, kept in this browser so that a crash or a closed window loses nothing. */
export interface TaskDraft {
  text: string
  /** Version that the text was based on; 0 for a new task. */
  version: number
  /** ISO 8601. */
  at: string
}

const keyOf = (task: number | 'new') => `headgate.task.${task}.draft`

export function keepDraft(store: KeyValueStore | null, task: number | 'new', draft: TaskDraft): boolean {
  try {
    store?.setItem(keyOf(task), JSON.stringify(draft))
    return store !== null
  } catch {
    // No room: the unsaved-changes guard still stands between the user and a loss.
    return false
  }
}

export function dropDraft(store: KeyValueStore | null, task: number | 'new'): void {
  store?.removeItem(keyOf(task))
}

/** The kept draft where it says something else than what is saved. */
export function recallDraft(store: KeyValueStore | null, task: number | 'new', saved: string): TaskDraft | null {
  const kept = store?.getItem(keyOf(task))
  if (!kept) return null
  try {
    const draft: unknown = JSON.parse(kept)
    return isDraft(draft) && draft.text !== saved ? draft : null
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is TaskDraft {
  if (typeof value !== 'object' || value === null) return false
  const { text, version, at } = value as Partial<Record<keyof TaskDraft, unknown>>
  return typeof text === 'string' && typeof version === 'number' && typeof at === 'string'
}

/** This browser's store, or null where it is refused (private windows, blocked cookies). */
export function browserStore(): KeyValueStore | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}
