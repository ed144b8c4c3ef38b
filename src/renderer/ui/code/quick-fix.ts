/** The change of the text that a finding suggests: one word for another. Pure. */
import { isMessage } from '../../../language/message.ts'

export interface Fixable {
  message: string
  params?: Readonly<Record<string, unknown>>
}

/** A replacement in the text, by offsets. */
export interface QuickFix {
  from: number
  to: number
  insert: string
}

/** Hints whose text belongs in quotes. */
const quoting = new Set(['write_in_quotes', 'quote_if_text_meant', 'quote_number'])
const quoted = /`([^`]+)`/g
const isWordPart = (character: string | undefined) => character !== undefined && /[\w$]/.test(character)

/**
 * The fix for a finding that stands at `from`…`to`: where its hint puts it in quotes, or names a near match, and the word that it is about is found there
 * or, for a finding at a key, in what stands behind the key on its line.
 */
export function quickFix(text: string, finding: Fixable, from: number, to: number): QuickFix | null {
  const fix = finding.params?.['fix']
  if (!isMessage(fix)) return null
  const word = text.slice(from, to)
  if (quoting.has(fix.code) && Object.values(fix.params).includes(word)) return { from, to, insert: `"${word}"` }
  const { near } = fix.params
  if (typeof near !== 'string') return null
  const words = [...finding.message.matchAll(quoted)].map((match) => match[1] ?? '')
  const lineEnd = text.indexOf('\n', to)
  const line = lineEnd === -1 ? text.length : lineEnd
  for (const word of words) {
    const at = findWord(text, word, from, to) ?? findWord(text, word, to, line)
    if (at === null) continue
    const change = { from: at, to: at + word.length, insert: near }
    // `args.sinse` is told whole, its mending as the last name alone.
    const dot = word.lastIndexOf('.')
    return dot !== -1 && !near.includes('.') ? { ...change, from: at + dot + 1 } : change
  }
  return null
}

/** Offset of a whole word between two offsets. */
export function findWord(text: string, word: string, from: number, to: number): number | null {
  if (word === '') return null
  for (let at = text.indexOf(word, from); at !== -1 && at + word.length <= to; at = text.indexOf(word, at + 1)) {
    const before = isWordPart(word[0]) && isWordPart(text[at - 1])
    const after = isWordPart(word.at(-1)) && isWordPart(text[at + word.length])
    if (!before && !after) return at
  }
  return null
}
