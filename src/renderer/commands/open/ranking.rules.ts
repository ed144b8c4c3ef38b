/** How well a record is what somebody typed. Pure. */
import { type Found, keyOf, recordKinds } from './found.ts'

export interface TextMatch {
  score: number
  /** From and to (excluded) of what matched, in order. */
  ranges: [number, number][]
}

const scores = { same: 1000, begins: 800, wordBegins: 600, within: 400, scattered: 100 } as const
/** Letters that are strewn about match anything when there are few of them. */
const leastScattered = 3

const beginsWord = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/** Every letter in its order from the beginning of a word on, in few pieces. Null: not all of them are there. */
function scattered(text: string, word: string): TextMatch | null {
  if (word.length < leastScattered) return null
  for (let at = text.indexOf(word[0] ?? ''); at >= 0; at = text.indexOf(word[0] ?? '', at + 1)) {
    const found = beginsWord(text, at) ? scatteredFrom(text, word, at) : null
    if (found) return found
  }
  return null
}

function scatteredFrom(text: string, word: string, from: number): TextMatch | null {
  const ranges: [number, number][] = []
  let at = from
  for (const letter of word) {
    const found = text.indexOf(letter, at)
    if (found < 0) return null
    const last = ranges.at(-1)
    if (last && last[1] === found) last[1] = found + letter.length
    else ranges.push([found, found + letter.length])
    at = found + letter.length
  }
  // More pieces than half of the letters is chance.
  return ranges.length * 2 > word.length + 1 ? null : { score: scores.scattered - ranges.length * 10, ranges }
}

function matchWord(text: string, word: string): TextMatch | null {
  if (text === word) return { score: scores.same, ranges: [[0, word.length]] }
  if (text.startsWith(word)) return { score: scores.begins, ranges: [[0, word.length]] }
  let within: number | null = null
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (beginsWord(text, at)) return { score: scores.wordBegins, ranges: [[at, at + word.length]] }
    within ??= at
  }
  if (within !== null) return { score: scores.within, ranges: [[within, within + word.length]] }
  return scattered(text, word)
}

const merged = (ranges: [number, number][]) => {
  const result: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** The whole of what was typed goes before its words one by one, in any order. */
export function matchText(text: string, query: string): TextMatch | null {
  // Case may change the length of a text: then nothing is marked rather than the wrong thing.
  const small = text.toLowerCase()
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return { score: 0, ranges: [] }
  const whole = matchWord(small, wanted)
  const words = wanted.split(/\s+/)
  const parts = words.length > 1 ? words.map((word) => matchWord(small, word)) : []
  const all = parts.filter((part) => part !== null)
  const apart =
    all.length > 0 && all.length === parts.length
      ? {
          score: Math.min(...all.map(({ score }) => score)) - 1,
          ranges: merged(all.flatMap(({ ranges }) => ranges)),
        }
      : null
  const best = whole && (!apart || whole.score >= apart.score) ? whole : apart
  return best && small.length !== text.length ? { ...best, ranges: [] } : best
}

export interface Ranked {
  found: Found
  ranges: [number, number][]
}

const hintWorth = 0.4
const recentBonus = 60

/** The best first: by name, then by what is known of it beside; lately opened ones a little before the others. */
export function rank(all: readonly Found[], query: string, recent: ReadonlySet<string>, limit: number): Ranked[] {
  const byKey = new Map<string, { found: Found; ranges: [number, number][]; score: number }>()
  for (const found of all) {
    const title = found.exact ? { score: scores.same, ranges: [] } : matchText(found.title, query)
    const beside = title ? null : matchText(`${found.title} ${found.hint ?? ''} ${found.keywords ?? ''}`, query)
    const score = title?.score ?? (beside && beside.score >= scores.within - 1 ? beside.score * hintWorth : null)
    if (score === null || byKey.has(keyOf(found))) continue
    byKey.set(keyOf(found), {
      found,
      ranges: title?.ranges ?? [],
      score: score + (recent.has(keyOf(found)) && score < scores.same ? recentBonus : 0),
    })
  }
  const order = (found: Found) => recordKinds.indexOf(found.kind)
  return [...byKey.values()]
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        order(a.found) - order(b.found) ||
        a.found.title.length - b.found.title.length ||
        a.found.title.localeCompare(b.found.title),
    )
    .slice(0, limit)
    .map(({ found, ranges }) => ({ found, ranges }))
}

/** What the server is asked for: it looks for one text, so of several words the longest. */
export const serverTerm = (query: string) =>
  query
    .trim()
    .split(/\s+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
    .slice(0, 200)
