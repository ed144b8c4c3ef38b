/** What can stand behind one character of a pattern of names. */
type Piece = { kind: 'any'; across: boolean } | { kind: 'one'; matches: (character: string) => boolean }

export interface NamePattern {
  /** Every name that matches begins like this. */
  prefix: string
  matches(name: string): boolean
}

/**
 * `*` stands for any characters but `/`, `**` for any, `?` for one, `[a-c]` for one of them, `{id}` for a part of a path. `across`: `*`
 * crosses `/`, too, as in names of tables. Takes time in the product of both lengths at most, whatever they are.
 */
export function namePattern(text: string, across: boolean): NamePattern {
  const pieces = [...piecesOf(text, across)]
  return { prefix: /^[^*?[{]*/.exec(text)?.[0] ?? '', matches: (name) => matches(pieces, name) }
}

function* piecesOf(text: string, across: boolean): Generator<Piece> {
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at, at + 200)
    const stars = /^\*+/.exec(rest)?.[0]
    const set = /^\[(!?)([^\]]+)\]/.exec(rest)
    const parameter = /^\{\w+\}/.exec(rest)?.[0]
    if (stars) yield { kind: 'any', across: across || stars.length > 1 }
    else if (parameter) yield { kind: 'any', across: false }
    else if (set) yield oneOf(set[2] ?? '', set[1] === '!')
    else if (rest.startsWith('?')) yield { kind: 'one', matches: (character) => character !== '/' }
    else yield exactly(rest[0] ?? '')
    at += stars?.length ?? parameter?.length ?? set?.[0].length ?? 1
  }
}

const exactly = (wanted: string): Piece => ({ kind: 'one', matches: (character) => character === wanted })

function oneOf(set: string, not: boolean): Piece {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gs)].map(
    ([, from, to, one]) => [from ?? one ?? '', to ?? one ?? ''] as const,
  )
  return {
    kind: 'one',
    matches: (character) =>
      character !== '/' && ranges.some(([from, to]) => from <= character && character <= to) !== not,
  }
}

/** Which places of the pattern can be reached after each character. */
function matches(pieces: readonly Piece[], name: string): boolean {
  let reached = new Set(past(pieces, 0))
  for (const character of name) {
    const next = new Set<number>()
    for (const at of reached) {
      const piece = pieces[at]
      if (piece?.kind === 'any' && (piece.across || character !== '/')) for (const to of past(pieces, at)) next.add(to)
      else if (piece?.kind === 'one' && piece.matches(character)) for (const to of past(pieces, at + 1)) next.add(to)
    }
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(pieces.length)
}

/** The place itself and those that are reached without a character. */
function past(pieces: readonly Piece[], from: number): number[] {
  const places = [from]
  for (let at = from; pieces[at]?.kind === 'any'; at++) places.push(at + 1)
  return places
}
