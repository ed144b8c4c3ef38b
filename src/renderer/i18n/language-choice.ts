/** The language that somebody chose, kept in this browser; windows that are open follow at once. */
import { useSyncExternalStore } from 'react'
import { browserStore } from '../ui/document/draft.ts'
import { type LanguageChoice, choiceOf } from './languages.ts'

const place = 'headgate.language'
const listeners = new Set<() => void>()

export const currentChoice = (): LanguageChoice => choiceOf(browserStore()?.getItem(place) ?? null)

const notify = () => {
  for (const listener of listeners) listener()
}

export function chooseLanguage(choice: LanguageChoice): void {
  if (choice === 'system') browserStore()?.removeItem(place)
  else browserStore()?.setItem(place, choice)
  notify()
}

/** Also when another window chooses, or the language of the system changes. */
export function onChoice(listener: () => void): () => void {
  if (listeners.size === 0) {
    globalThis.addEventListener('storage', onStorage)
    globalThis.addEventListener('languagechange', notify)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    globalThis.removeEventListener('storage', onStorage)
    globalThis.removeEventListener('languagechange', notify)
  }
}

function onStorage({ key }: StorageEvent): void {
  if (key === place || key === null) notify()
}

export const useLanguageChoice = (): LanguageChoice => useSyncExternalStore(onChoice, currentChoice)
