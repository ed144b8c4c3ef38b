/** Pure decisions of the palette. */
import type { KeyPress } from './keys.ts'
import { matchText } from './open/ranking.rules.ts'

/** Every word of the query begins a word of the text, in any order: `cr ta` finds `Create task`. */
export function matchesQuery(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/[\s/-]+/)
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)))
}

/** The best title first; those found by other words follow in their order. */
export const byTitle = <C extends { title: string }>(commands: readonly C[], query: string): C[] => {
  const scored = commands.map((command) => ({ command, score: matchText(command.title, query)?.score ?? -1 }))
  return scored.toSorted((a, b) => b.score - a.score).map(({ command }) => command)
}

/** The run number that somebody typed: `17`, `#17`, `run 17`. */
export function runNumberIn(query: string): number | null {
  const found = /^\s*(?:run\s*)?#?(\d{1,15})\s*$/i.exec(query)
  const number = found ? Number(found[1]) : 0
  return number > 0 ? number : null
}

/** The query after a key that was pressed before its field had the focus; null: not for the field. */
export function typedAhead(query: string, press: KeyPress): string | null {
  // Both together are AltGr, which writes letters.
  if (press.metaKey || press.ctrlKey !== press.altKey) return null
  if (press.key === 'Backspace') return query.slice(0, -1)
  if (press.key.length === 1) return query + press.key
  // It opens what will be listed, and is no key of the page below.
  return press.key === 'Enter' ? query : null
}
