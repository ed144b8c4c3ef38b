/**
 * Sentences that are made elsewhere in English (by the server, the languages of tasks and jobs, an executor), said in another
 * language: found by their English text, whose changing parts are named `<so>`. A part that stands in backticks or quotes is the
 * document's own and stays; any other part is itself looked up, and what is left there must be data, not words: half a translation
 * would be worse than none. `<message*>` may be anything: what a far system says. Pure.
 */

/** German by English; both have the same named parts. */
export type Phrases = Readonly<Record<string, string>>

type Say = (text: string) => string | undefined

interface Part {
  name: string
  /** Stands in backticks or quotes. */
  own: boolean
  free: boolean
}

interface Pattern {
  /** What stands between the parts. */
  literals: readonly string[]
  parts: readonly Part[]
  target: string
  weight: number
}

const partName = /<(\w+)(\*?)>/g

export const partNames = (phrase: string): string[] => [...phrase.matchAll(partName)].map(([, name = '']) => name)

/** An odd number of backticks or quotes stands before. */
const isOwn = (before: string) => before.split('`').length % 2 === 0 || before.split('"').length % 2 === 0

function patternOf(source: string, target: string): Pattern {
  const literals = source.split(/<\w+\*?>/)
  const parts = [...source.matchAll(partName)].map(({ 1: name = '', 2: star, index }) => ({
    name,
    own: isOwn(source.slice(0, index)),
    free: star === '*',
  }))
  return { literals, parts, target, weight: literals.join('').length }
}

/** The parts of a text that has the literals in this order, each part as short as can be; null where it has not. */
function valuesOf(text: string, { literals, parts }: Pattern): string[] | null {
  const [first = '', ...rest] = literals
  if (!text.startsWith(first)) return null
  const values: string[] = []
  let at = first.length
  for (const [index, literal] of rest.entries()) {
    const last = index === rest.length - 1
    const end = last ? text.length - literal.length : text.indexOf(literal, at + 1)
    if (end <= at || (last && !text.endsWith(literal))) return null
    const value = text.slice(at, end)
    if (parts[index]?.own && value.includes('`')) return null
    values.push(value)
    at = end + literal.length
  }
  return values
}

const quoted = /`[^`]*`|"(?:[^"\\]|\\.)*(?:"|…)/g
const words = /\p{L}+ \p{L}/u
const isData = (text: string) => !words.test(text.replaceAll(quoted, ''))

const capital = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

function sayPattern(pattern: Pattern, text: string, sayPart: Say, asSentence: boolean): string | undefined {
  const values = valuesOf(text, pattern)
  if (!values) return undefined
  const said = new Map<string, string>()
  for (const [index, { name, own, free }] of pattern.parts.entries()) {
    const value = values[index] ?? ''
    const inWords = own ? value : (sayPart(value) ?? (free || isData(value) ? value : undefined))
    if (inWords === undefined) return undefined
    const begins = asSentence && inWords !== value && pattern.target.startsWith(`<${name}>`)
    said.set(name, begins ? capital(inWords) : inWords)
  }
  return pattern.target.replaceAll(partName, (_, name: string) => said.get(name) ?? '')
}

function bookOf(phrases: Phrases, sayPart: Say, asSentence = false): Say {
  const exact = new Map<string, string>()
  const patterns: Pattern[] = []
  for (const [source, target] of Object.entries(phrases)) {
    if (partNames(source).length > 0) patterns.push(patternOf(source, target))
    else exact.set(source, target)
  }
  // The one that says most fits best.
  patterns.sort((a, b) => b.weight - a.weight)
  return (text) => {
    const known = exact.get(text)
    if (known !== undefined) return known
    for (const pattern of patterns) {
      const said = sayPattern(pattern, text, sayPart, asSentence)
      if (said !== undefined) return said
    }
    return undefined
  }
}

/** Single labels, whose parts are data. */
export const labelBook = (labels: Phrases): Say => bookOf(labels, (part) => part)

const betweenSentences = /(?<=[.?!…]) (?=[A-Z`"])/

/**
 * Says sentences, alone or one after the other; undefined where one of them is not known. `fragments` are only ever looked up for
 * parts of a sentence, never as a text of their own: there they may be data.
 */
export function phraseBook(sentences: Phrases, fragments: Phrases = {}): Say {
  const sayPart: Say = (text) => sayFragment(text) ?? say(text)
  const sayFragment = bookOf(fragments, sayPart)
  const saySentence = bookOf(sentences, sayPart, true)
  const say: Say = (text) => {
    const whole = saySentence(text)
    if (whole !== undefined) return whole
    const said = text.split(betweenSentences).map(saySentence)
    return said.length > 1 && said.every((sentence) => sentence !== undefined) ? said.join(' ') : undefined
  }
  return say
}
