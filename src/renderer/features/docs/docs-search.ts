/** The search over the documentation: the index is made at build time, asked in the window and on the site. Pure. */
import MiniSearch, { type Options, type SearchResult } from 'minisearch'
import type { DocsSectionRecord } from './docs.types.ts'

/** Words that stand in every question and tell nothing. */
const fillers = new Set(
  'a an and are as at be by can do does for from get have how i if in into is it its me my of on or that the there this to was what when where which why will with you your'.split(
    ' ',
  ),
)

/** Words, and names such as `AUTH_ERROR` or `files.glob` both whole and in their parts. */
function words(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
    const parts = word.split('_').filter(Boolean)
    return parts.length > 1 ? [word, ...parts] : parts
  })
}

/** `triggers`, `running` and `failed` are found by `trigger`, `run` and `fail` through their beginnings; the other way by this. */
function stem(word: string): string {
  const lower = word.toLowerCase()
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`
  if (lower.length > 3 && lower.endsWith('s') && !/(ss|us|is)$/.test(lower)) return lower.slice(0, -1)
  return lower
}

export const searchOptions: Options<DocsSectionRecord> = {
  fields: ['heading', 'title', 'words', 'text', 'table', 'code'],
  storeFields: ['slug', 'anchor', 'title', 'heading', 'text', 'beginning', 'table', 'code', 'weight'],
  tokenize: words,
  processTerm: (word) => (fillers.has(word.toLowerCase()) ? null : stem(word)),
}

export type DocsIndex = MiniSearch<DocsSectionRecord>

export function buildIndex(sections: readonly DocsSectionRecord[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll(sections)
  return JSON.stringify(index)
}

export const openIndex = (json: string): DocsIndex => MiniSearch.loadJSON(json, searchOptions)

export interface DocsHit {
  slug: string
  anchor: string
  title: string
  heading: string
  /** The heading in parts. */
  marked: readonly TextPart[]
  /** The place in the text, in parts: what was looked for is marked. */
  excerpt: readonly TextPart[]
  /** Words of the text that were found. */
  terms: readonly string[]
}
export interface TextPart {
  text: string
  hit: boolean
  /** Written as code. */
  code?: true
}

const excerptLength = 180

/** Sections that answer the question, the best first: all of its words if any section has them all, else words like them, else as many as possible. */
export function findSections(index: DocsIndex, query: string, limit = 20): DocsHit[] {
  const options = {
    boost: { heading: 4, title: 2, words: 1.5 },
    boostDocument: (_id: unknown, _term: string, stored?: Record<string, unknown>) => Number(stored?.['weight'] ?? 1),
    prefix: (term: string) => term.length > 1,
  }
  const fuzzy = (term: string) => (term.length > 4 ? 0.2 : false)
  const ways = [{}, { fuzzy }, { fuzzy, combineWith: 'OR' as const }]
  const found = ways.reduce<SearchResult[]>(
    (before, way) => (before.length > 0 ? before : index.search(query, { ...options, combineWith: 'AND', ...way })),
    [],
  )
  const hits = found.filter(saysIt).slice(0, limit).map(hitOf)
  const shown = new Set(hits.filter(showsIt).map(({ slug }) => slug))
  return hits.filter((hit) => showsIt(hit) || !shown.has(hit.slug))
}

/** A page found by other words alone is no result of its own where a section of it says what was looked for. */
const showsIt = ({ marked, excerpt }: DocsHit) => [...marked, ...excerpt].some(({ hit }) => hit)

/** Other words that people look for lead to the beginning of their page: what stands further down has to say them. */
const saysIt = ({ match, ...stored }: SearchResult) =>
  stored['anchor'] === '' || Object.values(match).some((fields) => fields.some((field) => field !== 'words'))

// What `storeFields` names comes back as it was given.
function hitOf(result: SearchResult): DocsHit {
  const { slug, anchor, title, heading, text, beginning, table, code } = result as SearchResult & DocsSectionRecord
  return {
    slug,
    anchor,
    title,
    heading,
    marked: markTerms(heading, result.terms),
    excerpt: excerptOf([text || beginning, table, code], result),
    terms: result.terms,
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Words as wholes that begin with one of the terms. */
export function termPattern(terms: readonly string[]): RegExp {
  const longestFirst = terms.toSorted((a, b) => b.length - a.length).map(escaped)
  return new RegExp(`((?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})[\\p{L}\\p{N}]*)`, 'giu')
}

/** Marks the words in a text. */
export function markTerms(text: string, terms: readonly string[]): TextPart[] {
  if (terms.length === 0) return text === '' ? [] : [{ text, hit: false }]
  return text
    .split(termPattern(terms))
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

/** Where the excerpt begins: at the hit behind which most of what was looked for stands, and how much that is. */
function bestPlace(parts: readonly TextPart[], asked: readonly string[]): { at: number; worth: number } {
  const longestFirst = asked.toSorted((a, b) => b.length - a.length)
  const hits: { at: number; term: string }[] = []
  let at = 0
  for (const { text, hit } of parts) {
    // A word that is only like one that was asked for stands for itself.
    if (hit) hits.push({ at, term: longestFirst.find((one) => text.toLowerCase().startsWith(one)) ?? '~' })
    at += text.length
  }
  let best = { at: 0, worth: 0 }
  // Further down it makes no difference to who reads.
  for (const [index, hit] of hits.slice(0, 200).entries()) {
    const shown = hits.slice(index, index + 20).filter((one) => one.at < hit.at + excerptLength - lead)
    const worth = [...new Set(shown.map(({ term }) => term))].join('').length
    if (worth > best.worth) best = { at: hit.at, worth }
  }
  return best
}

/** So far before the hit the sentence may begin that is shown with it. */
const lead = 60

/** Behind the last end of a sentence or of a table’s cell that is near the hit, else the hit itself. */
function beginningBefore(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - lead), at)
  const ends = [...before.matchAll(/(?:[.:;?!]| ·) /g)]
  const last = ends.at(-1)
  if (last) return at - before.length + last.index + last[0].length
  return at < lead ? 0 : at
}

/** Of the explanation, unless its tables or its examples say more of what was looked for; the beginning where only the heading or other words say it. `terms` are words that were found, `queryTerms` those of the question. */
function excerptOf(texts: readonly string[], { terms, queryTerms }: SearchResult): TextPart[] {
  const { text, at } = texts
    .map((one) => ({ text: one, ...bestPlace(markTerms(one, terms), queryTerms) }))
    .reduce((best, one) => (one.worth > best.worth ? one : best))
  const from = beginningBefore(text, at)
  const whole = from + excerptLength >= text.length
  const cut = whole ? text.slice(from) : text.slice(from, text.lastIndexOf(' ', from + excerptLength))
  const shown = `${from > 0 ? '… ' : ''}${cut}${whole ? '' : ' …'}`
  return codeParts(markTerms(shown, terms), text.slice(0, from).split('`').length % 2 === 0)
}

/** What stood between marks is code; `within` says whether the first part does. */
function codeParts(parts: readonly TextPart[], within: boolean): TextPart[] {
  let code = within
  return parts.flatMap(({ text, hit }) =>
    text.split('`').flatMap((piece, index): TextPart[] => {
      if (index > 0) code = !code
      return piece === '' ? [] : [{ text: piece, hit, ...(code ? { code } : {}) }]
    }),
  )
}
