/** What the preview shows of a part of a reference. Pure. */
import type { AiReferencePart } from '../../../contract/ai-references.ts'

/** Longer parts begin folded: a list of parts is skimmed by their headings. */
const foldedLines = 4
const foldedLength = 320

/** The text below its heading, which the title of the part says already. */
export function bodyOf({ heading, text, complete }: Pick<AiReferencePart, 'heading' | 'text' | 'complete'>): string {
  const [, title, rest] = /^#{1,6}[ \t]+(.+?)[ \t#]*(?:\r?\n\s*|$)([\s\S]*)$/.exec(text) ?? []
  const own = heading.split(' › ').at(-1)
  if (rest && title === own) return rest
  return complete || !beginsMidSentence(text) ? text : `… ${text}`
}

/** It was cut off in a sentence: its first word is no beginning, unless it is one of SQL. */
const beginsMidSentence = (text: string) => /^[\p{Ll},;:.)]/u.test(text) && !/^create\s/.test(text)

export interface Place {
  at: number
  of: number
}

/** Which one it is of the parts with its heading; null: it is the only one. */
export function placesOf(parts: readonly Pick<AiReferencePart, 'reference_id' | 'heading'>[]): (Place | null)[] {
  const keys = parts.map(({ reference_id, heading }) => `${reference_id} ${heading}`)
  return keys.map((key, index) => {
    const of = keys.filter((one) => one === key).length
    return of === 1 ? null : { at: keys.slice(0, index + 1).filter((one) => one === key).length, of }
  })
}

/** What all parts add to a prompt. */
export const bytesOf = (parts: readonly Pick<AiReferencePart, 'text'>[]): number =>
  parts.reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0)

/** The beginning of a long text, cut between words; null: it is short. */
export function foldedText(text: string): string | null {
  const lines = text.split('\n')
  if (text.length <= foldedLength && lines.length <= foldedLines) return null
  const beginning = lines.slice(0, foldedLines).join('\n')
  if (beginning.length <= foldedLength) return `${beginning.trimEnd()} …`
  const cut = beginning.slice(0, foldedLength + 1).search(/\s\S*$/)
  return `${beginning.slice(0, cut > 0 ? cut : foldedLength).trimEnd()} …`
}
