/**
 * Titles and descriptions that come from the server or from files, in the language of the window: those of settings, of the
 * forms of connectors, of galleries. They arrive in English. Each German text belongs to exactly one English one, so a sentence that
 * the server words anew is shown in English rather than said wrongly.
 */
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** By the English text. */
export type ServerTexts = Readonly<Record<string, string>>

let texts: ReadonlyMap<string, string> = new Map()

export function setServerTexts(known: ServerTexts): void {
  texts = new Map(Object.entries(known))
}

/** One such text. */
export const textSaid = (text: string): string => texts.get(text) ?? text

/** Which values of an answer are such texts; all others are data. */
export const worded = new Set(['title', 'description', 'unit', 'x-wanted'])

function reworded(value: unknown, name: string): unknown {
  if (typeof value === 'string') return worded.has(name) ? textSaid(value) : value
  if (Array.isArray(value)) return value.map((item) => reworded(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, reworded(part, key)]))
}

/** The same answer with its texts in the language of the window. */
// Only texts change, never the shape.
export const inLanguage = <T>(answer: T): T => (texts.size === 0 ? answer : (reworded(answer, '') as T))

/** As `inLanguage`, and anew when the language changes. */
export function useInLanguage<T>(answer: T): T {
  const { i18n } = useTranslation()
  const { language } = i18n
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what inLanguage says depends on the language
  return useMemo(() => inLanguage(answer), [answer, language])
}
