/** One set of characters: ranges of code points, perhaps turned round. */
export interface CharacterSet {
  ranges: [from: number, to: number][]
  negated: boolean
}

export type PatternNode =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; min: number; max: number }

export type PatternProblem = { code: 'pattern_invalid' | 'pattern_unsafe'; message: string; hint: string }
export type ParsedPattern = { ok: true; pattern: PatternNode } | { ok: false; problem: PatternProblem }

export const MAX_PATTERN_LENGTH = 500
const MAX_REPEAT = 1_000
const MAX_GROUPS_DEEP = 20

class PatternError extends Error {
  readonly problem: PatternProblem
  constructor(problem: PatternProblem) {
    super(problem.message)
    this.problem = problem
  }
}

const digits: CharacterSet = { ranges: [[48, 57]], negated: false }
const word: CharacterSet = {
  ranges: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  negated: false,
}
const blank: CharacterSet = {
  ranges: [
    [9, 13],
    [32, 32],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  negated: false,
}
const anything: CharacterSet = {
  ranges: [
    [10, 10],
    [13, 13],
    [0x2028, 0x2029],
  ],
  negated: true,
}
const named: Record<string, CharacterSet> = {
  d: digits,
  w: word,
  s: blank,
  D: { ...digits, negated: true },
  W: { ...word, negated: true },
  S: { ...blank, negated: true },
}
const controls: Record<string, number> = { t: 9, n: 10, r: 13, f: 12, v: 11 }

/**
 * The safe subset of regular expressions: literals, `.`, classes `[…]`, `\d \w \s` and their capitals, groups, `|`, the
 * quantifiers `? * + {n} {n,} {n,m}`, `^` at the start and `$` at the end. No back-references, no lookaround, no repetition
 * inside a repetition: any engine matches what is left without backtracking out of hand.
 */
export function parsePattern(source: string): ParsedPattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    return {
      ok: false,
      problem: {
        code: 'pattern_invalid',
        message: `The pattern is longer than ${MAX_PATTERN_LENGTH} characters.`,
        hint: 'Make it shorter, or use `enum`.',
      },
    }
  }
  const reader: Reader = { text: Array.from(source), at: 0, depth: 0 }
  if (reader.text[0] === '^') reader.at = 1
  try {
    const pattern = readChoice(reader)
    if (reader.at < reader.text.length) throw invalid('There is a `)` too many.', 'Write `\\)` for the character.')
    return { ok: true, pattern }
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, problem: error.problem }
    throw error
  }
}

interface Reader {
  text: string[]
  at: number
  depth: number
}

function invalid(message: string, hint: string): PatternError {
  return new PatternError({ code: 'pattern_invalid', message: `The pattern cannot be read: ${message}`, hint })
}

function unsafe(what: string, hint: string): PatternError {
  return new PatternError({
    code: 'pattern_unsafe',
    message: `${what} cannot be used in a pattern: matching it could take forever.`,
    hint,
  })
}

function readChoice(reader: Reader): PatternNode {
  const options = [readSequence(reader)]
  while (reader.text[reader.at] === '|') {
    reader.at++
    options.push(readSequence(reader))
  }
  const only = options[0]
  return options.length === 1 && only ? only : { kind: 'choice', options }
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = []
  for (;;) {
    const character = reader.text[reader.at]
    if (character === undefined || character === '|' || character === ')') break
    if (character === '$' && reader.at === reader.text.length - 1) {
      reader.at++
      break
    }
    parts.push(readQuantified(reader))
  }
  return { kind: 'sequence', parts }
}

function readQuantified(reader: Reader): PatternNode {
  const atom = readAtom(reader)
  const range = readQuantifier(reader)
  if (!range) return atom
  if (reader.text[reader.at] === '?') reader.at++ // lazy: the same texts match
  if (readQuantifier({ ...reader })) throw invalid('Two quantifiers follow each other.', 'Keep one of them.')
  if (range.max > 1 && containsRepetition(atom)) {
    throw unsafe(
      'A repetition inside a repetition',
      'Repeat single characters, classes or groups without `*`, `+` or `{…}` in them.',
    )
  }
  return { kind: 'repeat', part: atom, ...range }
}

function containsRepetition(node: PatternNode): boolean {
  if (node.kind === 'repeat') return node.max > 1 || containsRepetition(node.part)
  if (node.kind === 'sequence') return node.parts.some(containsRepetition)
  return node.kind === 'choice' && node.options.some(containsRepetition)
}

function readQuantifier(reader: Reader): { min: number; max: number } | null {
  const character = reader.text[reader.at]
  if (character === '?' || character === '*' || character === '+') {
    reader.at++
    return { min: character === '+' ? 1 : 0, max: character === '?' ? 1 : Infinity }
  }
  if (character !== '{') return null
  const close = reader.text.indexOf('}', reader.at)
  const match = /^\{(\d{1,4})(,(\d{1,4})?)?\}$/.exec(reader.text.slice(reader.at, close + 1).join(''))
  if (!match) throw invalid('`{` starts a count, e.g. `{2}` or `{1,3}`.', 'Write `\\{` for the character.')
  reader.at = close + 1
  const min = Number(match[1])
  const max = match[2] === undefined ? min : match[3] === undefined ? Infinity : Number(match[3])
  if (min > max) throw invalid(`In \`${match[0]}\` the first number is larger.`, 'Swap the numbers.')
  if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) {
    throw invalid(`A count is larger than ${MAX_REPEAT}.`, 'Use `min` and `max` to bound the length.')
  }
  return { min, max }
}

function readAtom(reader: Reader): PatternNode {
  const character = reader.text[reader.at] ?? ''
  reader.at++
  switch (character) {
    case '(':
      return readGroup(reader)
    case '[':
      return { kind: 'set', set: readClass(reader) }
    case '.':
      return { kind: 'set', set: anything }
    case '\\':
      return { kind: 'set', set: readEscape(reader) }
    case '*':
    case '+':
    case '?':
      throw invalid(`Nothing stands before \`${character}\`.`, `Write \`\\${character}\` for the character.`)
    case '{':
    case '}':
    case ']':
      throw invalid(`\`${character}\` has no partner.`, `Write \`\\${character}\` for the character.`)
    case '^':
    case '$':
      throw invalid(
        `\`${character}\` stands inside the pattern.`,
        `The whole text must match anyway; write \`\\${character}\` for the character.`,
      )
    default:
      return { kind: 'set', set: single(character.codePointAt(0) ?? 0) }
  }
}

function single(code: number): CharacterSet {
  return { ranges: [[code, code]], negated: false }
}

function readGroup(reader: Reader): PatternNode {
  if (++reader.depth > MAX_GROUPS_DEEP) throw invalid('Groups are nested too deeply.', 'Make it simpler.')
  if (reader.text[reader.at] === '?') {
    const next = reader.text.slice(reader.at + 1, reader.at + 3).join('')
    if (next.startsWith('=') || next.startsWith('!') || next === '<=' || next === '<!') {
      throw unsafe('Lookaround', 'Describe the whole text instead, or check it in an `expect` step.')
    }
    if (!next.startsWith(':')) throw invalid('Only plain groups `(…)` and `(?:…)` are known.', 'Write `(…)`.')
    reader.at += 2
  }
  const inner = readChoice(reader)
  if (reader.text[reader.at] !== ')')
    throw invalid('A `(` is not closed.', 'Add `)`, or write `\\(` for the character.')
  reader.at++
  reader.depth--
  return inner
}

function readEscape(reader: Reader): CharacterSet {
  const character = reader.text[reader.at]
  if (character === undefined) throw invalid('It ends with `\\`.', 'Write `\\\\` for the character.')
  reader.at++
  const set = named[character]
  if (set) return set
  if (/[1-9k]/.test(character)) throw unsafe('A back-reference', 'Spell out what may stand there.')
  const control = controls[character]
  if (control !== undefined) return single(control)
  if (/[A-Za-z0-9]/.test(character))
    throw invalid(`\`\\${character}\` has no meaning here.`, 'Write the character without `\\`.')
  return single(character.codePointAt(0) ?? 0)
}

function readClass(reader: Reader): CharacterSet {
  const negated = reader.text[reader.at] === '^'
  if (negated) reader.at++
  const ranges: CharacterSet['ranges'] = []
  for (;;) {
    const character = reader.text[reader.at]
    if (character === undefined) throw invalid('A `[` is not closed.', 'Add `]`, or write `\\[` for the character.')
    if (character === ']') break
    const first = readClassPart(reader)
    const from = first.ranges[0]?.[0] ?? 0
    const isSingle = !first.negated && first.ranges.length === 1 && first.ranges[0]?.[1] === from
    if (isSingle && reader.text[reader.at] === '-' && reader.text[reader.at + 1] !== ']') {
      reader.at++
      const to = readClassPart(reader).ranges[0]?.[0] ?? 0
      if (to < from) throw invalid('A range in `[…]` runs backwards.', 'Swap its ends.')
      ranges.push([from, to])
    } else ranges.push(...(first.negated ? complement(first.ranges) : first.ranges))
  }
  reader.at++
  if (ranges.length === 0) throw invalid('`[]` matches nothing.', 'Name the characters between the brackets.')
  return { ranges, negated }
}

function readClassPart(reader: Reader): CharacterSet {
  const character = reader.text[reader.at] ?? ''
  reader.at++
  return character === '\\' ? readEscape(reader) : single(character.codePointAt(0) ?? 0)
}

function complement(ranges: CharacterSet['ranges']): CharacterSet['ranges'] {
  const result: CharacterSet['ranges'] = []
  let next = 0
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > next) result.push([next, from - 1])
    next = to + 1
  }
  result.push([next, 0x10ffff])
  return result
}
