/**
 * Words of the page of public links. `tools/public-page.ts` puts this in the place of i18next and react-i18next, which are a third of
 * what the page may be without its chart; `test/renderer/i18n/small.test.ts` compares what the two say.
 */
import { useMemo, useSyncExternalStore } from 'react'
import { numberText } from '../ui/format.ts'
import { untilLoaded } from '../ui/lazy-part.ts'
import type * as english from './en/public.ts'
import { currentChoice, onChoice } from './language-choice.ts'
import { type Language, languageOf, localeOf } from './languages.ts'
import { setLocale, systemHours } from './locale.ts'
import type { Translation } from './translation.ts'

type PublicWords = Translation<typeof english>
type Params = Readonly<Record<string, unknown>>

const parts: Readonly<Record<Language, () => Promise<PublicWords>>> = {
  en: () => import('./en/public.ts'),
  de: () => import('./de/public.ts'),
}

interface Spoken {
  language: Language
  words: object
}
let spoken: Spoken = { language: 'en', words: {} }
const listeners = new Set<() => void>()

function textAt(path: readonly string[]): string | undefined {
  let place: unknown = spoken.words
  for (const name of path) {
    if (typeof place !== 'object' || place === null) return undefined
    place = (place as Readonly<Record<string, unknown>>)[name]
  }
  return typeof place === 'string' ? place : undefined
}

function shown(value: unknown, format: string | undefined): string {
  if (format === 'number' && typeof value === 'number') return numberText(value)
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function translate(namespace: string, key: string, params: Params = {}): string {
  const find = (name: string) => textAt([namespace, ...name.split('.')])
  const { count } = params
  const form = typeof count === 'number' ? new Intl.PluralRules(spoken.language).select(count) : null
  const text = (form === null ? undefined : find(`${key}_${form}`)) ?? find(key)
  if (text === undefined) {
    reportError(new Error(`No words in ${spoken.language} for ${namespace}:${key}`))
    return key
  }
  return text.replaceAll(/\{\{(\w+)(?:,\s*(\w+))?\}\}/g, (_, name: string, format?: string) =>
    shown(params[name], format),
  )
}

async function speak(language: Language): Promise<void> {
  const words = await untilLoaded(parts[language])
  // Somebody who chooses quickly gets what was chosen last.
  if (language !== wanted()) return
  spoken = { language, words }
  setLocale(localeOf(language, navigator.languages), systemHours())
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

const wanted = () => languageOf(currentChoice(), navigator.languages)

export async function startWords(): Promise<void> {
  await speak(wanted())
  onChoice(() => void speak(wanted()))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type Translate = (key: string, params?: Params) => string
export const makeTranslate =
  (namespace: string): Translate =>
  (key, params) =>
    translate(namespace, key, params)

/** @public In the place of react-i18next's. */
export function useTranslation(namespace = 'ui') {
  const now = useSyncExternalStore(subscribe, () => spoken)
  // Another language is another function: what was memoized with it is made again.
  return useMemo(
    () => ({
      t: makeTranslate(namespace),
      i18n: { language: now.language },
    }),
    [namespace, now],
  )
}

/** In the place of i18next's. */
const words = { t: makeTranslate('ui') }
/** @public */
export default words
