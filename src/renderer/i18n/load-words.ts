/** Words arrive by language, in two parts; of a language that is not spoken nothing is loaded. */
import { untilLoaded } from '../ui/lazy-part.ts'
import type * as first from './en/first.ts'
import type * as rest from './en/rest.ts'
import type { Language } from './languages.ts'
import type { Catalog } from './translate.ts'
import type { Translation } from './translation.ts'

type First = typeof first
type Rest = typeof rest

/** All words, by namespace. English is the pattern of every other language. */
export type Words = First & Rest

interface Parts {
  first: () => Promise<Translation<First>>
  rest: () => Promise<Translation<Rest>>
  /** What is said in English elsewhere. */
  catalog: () => Promise<{ catalog: Catalog | null }>
}

const parts: Readonly<Record<Language, Parts>> = {
  en: {
    first: () => import('./en/first.ts'),
    rest: () => import('./en/rest.ts'),
    catalog: () => Promise.resolve({ catalog: null }),
  },
  de: {
    first: () => import('./de/first.ts'),
    rest: () => import('./de/rest.ts'),
    catalog: () => import('./de/catalog/catalog.ts'),
  },
}

/** Namespaces of the first part; all others are in the rest. */
export const firstNamespaces = ['shell', 'signIn', 'ui'] as const satisfies readonly (keyof First)[]

export const partOf = (namespace: string): 'first' | 'rest' =>
  (firstNamespaces as readonly string[]).includes(namespace) ? 'first' : 'rest'

/** However often the server has to be asked: the page appears when it is back. */
export const loadPart = (language: Language, part: 'first' | 'rest'): Promise<object> =>
  untilLoaded<object>(parts[language][part])

export const loadCatalog = async (language: Language): Promise<Catalog | null> =>
  (await untilLoaded(parts[language].catalog)).catalog
