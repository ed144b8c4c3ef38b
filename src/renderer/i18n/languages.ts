/** Which languages there are, and which one a window speaks. Pure. */

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** What somebody chose; `system` follows the browser. */
export type LanguageChoice = 'system' | Language

/** Each in its own words, as a list of languages is written. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

const primary = (tag: string) => tag.toLowerCase().split('-')[0] ?? ''

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text)

export const choiceOf = (stored: string | null): LanguageChoice => (stored && isLanguage(stored) ? stored : 'system')

/** The first of the browser's languages that there are words for; else English. */
export function languageOf(choice: LanguageChoice, wanted: readonly string[]): Language {
  if (choice !== 'system') return choice
  return wanted.map(primary).find(isLanguage) ?? 'en'
}

/** How dates and numbers are written: as the browser asks where it speaks this language (`en-GB`, `de-CH`), else as the language does. */
export function localeOf(language: Language, wanted: readonly string[]): string {
  return wanted.find((tag) => primary(tag) === language) ?? language
}
