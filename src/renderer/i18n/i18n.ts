/** Starts the words of the window. A new namespace is a line in `en/rest.ts` and one in `de/rest.ts`. */
import i18next, { type BackendModule, type ReadCallback } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { numberText } from '../ui/format.ts'
import { currentChoice, onChoice } from './language-choice.ts'
import { type Language, isLanguage, languageOf, localeOf } from './languages.ts'
import { type Words, firstNamespaces, loadPart, loadCatalog, partOf } from './load-words.ts'
import { setLocale, systemHours } from './locale.ts'
import { setCatalog } from './translate.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui'
    resources: Words
  }
}

async function wordsOf(language: string, namespace: string): Promise<object> {
  if (!isLanguage(language)) throw new Error(`There are no words in the language ${language}`)
  const words = new Map<string, object>(Object.entries(await loadPart(language, partOf(namespace))))
  const texts = words.get(namespace)
  if (!texts) throw new Error(`There are no words of ${namespace} in the language ${language}`)
  return texts
}

async function answer(language: string, namespace: string, done: ReadCallback): Promise<void> {
  let texts: object
  try {
    texts = await wordsOf(language, namespace)
  } catch (error) {
    // i18next tells of it; the keys that are then shown are told one by one, too.
    done(error instanceof Error ? error : String(error), false)
    return
  }
  done(null, texts)
}

// `callbackApi` is what i18next asks for; its types do not know it yet.
const backend: BackendModule & { callbackApi: true } = {
  type: 'backend',
  callbackApi: true,
  init: () => {},
  read: (language, namespace, done) => void answer(language, namespace, done),
}

const wantedLanguage = () => languageOf(currentChoice(), navigator.languages)

/** What dates and numbers follow before anything is drawn anew, and what screen readers read by. */
function follow(language: Language): void {
  setLocale(localeOf(language, navigator.languages), systemHours())
  document.documentElement.lang = language
}

let rest: Promise<void> = Promise.resolve()

/** The words of the pages. Routes wait for them, so that no page is drawn without. */
export const restOfWords = (): Promise<void> => rest

/** All words of the new language are here before the first of them is shown; what is typed stays. */
async function change(): Promise<void> {
  const language = wantedLanguage()
  const catalog = await loadCatalog(language)
  // Somebody who chooses quickly gets what was chosen last.
  if (language !== wantedLanguage()) return
  setCatalog(catalog)
  await i18next.changeLanguage(language)
}

export async function startI18n(): Promise<void> {
  const language = wantedLanguage()
  follow(language)
  i18next.on('languageChanged', (now) => {
    if (isLanguage(now)) follow(now)
  })
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      // Every language is complete: the types see to it. So one that is not spoken is not loaded.
      fallbackLng: false,
      defaultNS: 'ui',
      ns: [...firstNamespaces],
      interpolation: { escapeValue: false },
      returnNull: false,
      // A kind of error may have nothing more to say.
      returnEmptyString: true,
      saveMissing: true,
      missingKeyHandler: (spoken, namespace, key, fallback) => {
        // What is asked for with a text of its own to fall back to may be missing.
        if (fallback === key) reportError(new Error(`No words in ${spoken.join(', ')} for ${namespace}:${key}`))
      },
    })
  i18next.services.formatter?.add('number', (value: number) => numberText(value))
  const pages = loadPart(language, 'rest').then((words) => i18next.loadNamespaces(Object.keys(words)))
  rest = Promise.all([pages, loadCatalog(language).then(setCatalog)]).then(() => undefined)
  onChoice(() => void change())
}
