import type { Message } from './message.ts'
import { msg } from './messages.ts'
import type { nouns } from './messages/words.ts'

/** The candidate most like a mistyped word, or null when none is near: a third of its letters may differ, at least one. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > 100) return null
  const wanted = fold(word)
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 0.5
  for (const candidate of candidates) {
    const distance = fold(candidate) === wanted ? 0 : editDistance(wanted, fold(candidate), Math.floor(bestDistance))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Damerau-Levenshtein (neighbouring letters swapped count once); anything above `limit` is returned as limit + 1. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    before = previous
    previous = row
  }
  return Math.min(previous[b.length] ?? 0, limit + 1)
}

const MAX_SHOWN = 15

/** What there is a choice of; a code of the catalog. */
export type Noun = (typeof nouns)[number]

/** "Did you mean `x`?" or, where nothing is near, the whole choice. */
export function suggest(word: string, candidates: readonly string[], noun: Noun): Message {
  const near = nearest(word, candidates)
  if (near !== null) return msg('did_you_mean', { near })
  if (candidates.length === 0) return msg('none_here', { what: msg(noun) })
  const choices = candidates.slice(0, MAX_SHOWN)
  const rest = candidates.length - choices.length
  return rest > 0
    ? msg('choices_and_more', { what: msg(noun), choices, rest })
    : msg('choices_are', { what: msg(noun), choices })
}
