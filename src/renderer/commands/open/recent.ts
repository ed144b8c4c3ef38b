/** What somebody opened lately, in this browser, by user. */
import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../api/session.ts'
import { type Found, type RecordKind, keyOf, recordKinds } from './found.ts'

const kept = 30
const storageKey = (userId: number) => `headgate.opened.${userId}`
const listeners = new Set<() => void>()

const isFound = (value: unknown): value is Found =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  recordKinds.some((kind) => kind === value.kind) &&
  ['id', 'title', 'to'].every((name) => typeof Reflect.get(value, name) === 'string')

/** What was kept, the latest first. What another version or a hand wrote otherwise is left out. */
export function readRecent(text: string | null): Found[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isFound) : []
  } catch {
    return []
  }
}

/** `opened` in front, once. */
export const withOpened = (before: readonly Found[], opened: Found): Found[] =>
  [opened, ...before.filter((one) => keyOf(one) !== keyOf(opened))].slice(0, kept)

function write(userId: number, change: (before: Found[]) => Found[]): void {
  const before = localStorage.getItem(storageKey(userId))
  const text = JSON.stringify(change(readRecent(before)))
  if (text === before) return
  try {
    localStorage.setItem(storageKey(userId), text)
  } catch {
    // A full storage forgets what was opened; nothing else depends on it.
  }
  for (const listener of listeners) listener()
}

export const rememberOpened = (userId: number, opened: Found) => write(userId, (before) => withOpened(before, opened))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  globalThis.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('storage', listener)
  }
}

/** The latest first. */
export function useRecent(): Found[] {
  const { me } = useSession()
  return readRecent(useSyncExternalStore(subscribe, () => localStorage.getItem(storageKey(me.user.id))))
}

interface Opened {
  kind: RecordKind
  id: number
  /** Undefined until it is known. */
  title: string | undefined
  hint?: string | undefined
  to: string
  /** It is not there, or not any more. */
  gone?: boolean
}

/** A page says which record it shows. */
export function useOpened({ kind, id, title, hint, to, gone = false }: Opened): void {
  const { me } = useSession()
  const userId = me.user.id
  useEffect(() => {
    if (title !== undefined) {
      rememberOpened(userId, { kind, id: String(id), title, ...(hint ? { hint } : {}), to })
    } else if (gone) {
      write(userId, (before) => before.filter((one) => keyOf(one) !== keyOf({ kind, id: String(id) })))
    }
  }, [userId, kind, id, title, hint, to, gone])
}
