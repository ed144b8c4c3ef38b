import type { DocumentKind } from './document.types.ts'

/** The part of `Storage` that is used; browsers may refuse it altogether. */
export interface KeyValueStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Of one record, or of the one that is being made: `task.7`, `job-template.new`. */
export type DraftKey = `${DocumentKind['name']}.${number | 'new'}`

/** Text that was typed and not saved, kept in this browser so that a crash or a closed window loses nothing. */
export interface Draft {
  text: string
  /** Version that the text was based on; 0 for a new one. */
  version: number
  /** ISO 8601. */
  at: string
}

const keyOf = (key: DraftKey) => `headgate.${key}.draft`

export function keepDraft(store: KeyValueStore | null, key: DraftKey, draft: Draft): boolean {
  try {
    store?.setItem(keyOf(key), JSON.stringify(draft))
    return store !== null
  } catch {
    // No room: the unsaved-changes guard still stands between the user and a loss.
    return false
  }
}

export function dropDraft(store: KeyValueStore | null, key: DraftKey): void {
  store?.removeItem(keyOf(key))
}

/** The kept draft where it says something else than what is saved. */
export function recallDraft(store: KeyValueStore | null, key: DraftKey, saved: string): Draft | null {
  const kept = store?.getItem(keyOf(key))
  if (!kept) return null
  try {
    const draft: unknown = JSON.parse(kept)
    return isDraft(draft) && draft.text !== saved ? draft : null
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { text, version, at } = value as Partial<Record<keyof Draft, unknown>>
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
