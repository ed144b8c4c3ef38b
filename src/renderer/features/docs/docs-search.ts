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
  fields: ['heading', 'title', 'words', 'text'],
  storeFields: ['slug', 'anchor', 'title', 'heading', 'text'],
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
  /** The place in the text, in parts: what was looked for is marked. */
  excerpt: readonly TextPart[]
}
export interface TextPart {
  text: string
  hit: boolean
}

const excerptLength = 180

/** Sections that answer the question, the best first. All words if any section has them all, else as many as possible. */
export function findSections(index: DocsIndex, query: string, limit = 20): DocsHit[] {
  const options = {
    boost: { heading: 4, title: 3, words: 3 },
    prefix: (term: string) => term.length > 1,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  }
  const all = index.search(query, { ...options, combineWith: 'AND' })
  const found = all.length > 0 ? all : index.search(query, { ...options, combineWith: 'OR' })
  return found.slice(0, limit).map(hitOf)
}

// What `storeFields` names comes back as it was given.
function hitOf(result: SearchResult): DocsHit {
  const { slug, anchor, title, heading, text } = result as SearchResult & DocsSectionRecord
  return { slug, anchor, title, heading, excerpt: excerptOf(text, result.terms) }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Marks the words (as wholes that begin with one of the terms) in a text. */
export function markTerms(text: string, terms: readonly string[]): TextPart[] {
  if (terms.length === 0) return text === '' ? [] : [{ text, hit: false }]
  const pattern = new RegExp(`((?<![\\p{L}\\p{N}])(?:${terms.map(escaped).join('|')})[\\p{L}\\p{N}]*)`, 'giu')
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

function excerptOf(text: string, terms: readonly string[]): TextPart[] {
  const parts = markTerms(text, terms)
  const first = parts.findIndex((part) => part.hit)
  const at = first < 0 ? 0 : parts.slice(0, first).reduce((sum, part) => sum + part.text.length, 0)
  const from = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1
  const cut = text.slice(from, from + excerptLength)
  const shown = `${from > 0 ? '… ' : ''}${cut}${from + excerptLength < text.length ? ' …' : ''}`
  return markTerms(shown, terms)
}
