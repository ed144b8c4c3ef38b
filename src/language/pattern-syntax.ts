import type { Message } from './message.ts'
import { msg } from './messages.ts'
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

export type PatternProblem = { code: 'pattern_invalid' | 'pattern_unsafe'; message: Message; hint: Message }
export type ParsedPattern = { ok: true; pattern: PatternNode } | { ok: false; problem: PatternProblem }

export const MAX_PATTERN_LENGTH = 500
const MAX_REPEAT = 1_000
const MAX_GROUPS_DEEP = 20

class PatternError extends Error {
  readonly problem: PatternProblem
  constructor(problem: PatternProblem) {
    super(problem.message.message)
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
        message: msg('pattern_too_long', { limit: MAX_PATTERN_LENGTH }),
        hint: msg('shorten_or_enum'),
      },
    }
  }
  const reader: Reader = { text: Array.from(source), at: 0, depth: 0 }
  if (reader.text[0] === '^') reader.at = 1
  try {
    const pattern = readChoice(reader)
    if (reader.at < reader.text.length) throw invalid(msg('bracket_too_many'), msg('escape_bracket'))
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

function invalid(message: Message, hint: Message): PatternError {
  return new PatternError({ code: 'pattern_invalid', message: msg('pattern_invalid', { problem: message }), hint })
}

function unsafe(what: Message, hint: Message): PatternError {
  return new PatternError({
    code: 'pattern_unsafe',
    message: msg('pattern_unsafe', { what }),
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
  if (readQuantifier({ ...reader })) throw invalid(msg('two_quantifiers'), msg('keep_one_quantifier'))
  if (range.max > 1 && containsRepetition(atom)) {
    throw unsafe(msg('nested_repetition'), msg('repeat_simple_parts'))
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
  if (!match) throw invalid(msg('brace_starts_count'), msg('escape_brace'))
  reader.at = close + 1
  const min = Number(match[1])
  const max = match[2] === undefined ? min : match[3] === undefined ? Infinity : Number(match[3])
  if (min > max) throw invalid(msg('count_reversed', { count: match[0] }), msg('swap_numbers'))
  if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) {
    throw invalid(msg('count_too_large', { limit: MAX_REPEAT }), msg('bound_length'))
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
      throw invalid(msg('nothing_to_repeat', { character }), msg('escape_character', { character }))
    case '{':
    case '}':
    case ']':
      throw invalid(msg('bracket_alone', { character }), msg('escape_character', { character }))
    case '^':
    case '$':
      throw invalid(msg('anchor_inside', { character }), msg('escape_anchor', { character }))
    default:
      return { kind: 'set', set: single(character.codePointAt(0) ?? 0) }
  }
}

function single(code: number): CharacterSet {
  return { ranges: [[code, code]], negated: false }
}

function readGroup(reader: Reader): PatternNode {
  if (++reader.depth > MAX_GROUPS_DEEP) throw invalid(msg('groups_too_deep'), msg('simplify'))
  if (reader.text[reader.at] === '?') {
    const next = reader.text.slice(reader.at + 1, reader.at + 3).join('')
    if (next.startsWith('=') || next.startsWith('!') || next === '<=' || next === '<!') {
      throw unsafe(msg('lookaround'), msg('describe_text'))
    }
    if (!next.startsWith(':')) throw invalid(msg('plain_groups_only'), msg('write_plain_group'))
    reader.at += 2
  }
  const inner = readChoice(reader)
  if (reader.text[reader.at] !== ')') throw invalid(msg('group_open'), msg('close_group'))
  reader.at++
  reader.depth--
  return inner
}

function readEscape(reader: Reader): CharacterSet {
  const character = reader.text[reader.at]
  if (character === undefined) throw invalid(msg('ends_with_backslash'), msg('escape_backslash_pattern'))
  reader.at++
  const set = named[character]
  if (set) return set
  if (/[1-9k]/.test(character)) throw unsafe(msg('back_reference'), msg('spell_out'))
  const control = controls[character]
  if (control !== undefined) return single(control)
  if (/[A-Za-z0-9]/.test(character)) throw invalid(msg('escape_unknown', { character }), msg('write_unescaped'))
  return single(character.codePointAt(0) ?? 0)
}

function readClass(reader: Reader): CharacterSet {
  const negated = reader.text[reader.at] === '^'
  if (negated) reader.at++
  const ranges: CharacterSet['ranges'] = []
  for (;;) {
    const character = reader.text[reader.at]
    if (character === undefined) throw invalid(msg('class_open'), msg('close_class'))
    if (character === ']') break
    const first = readClassPart(reader)
    const from = first.ranges[0]?.[0] ?? 0
    const isSingle = !first.negated && first.ranges.length === 1 && first.ranges[0]?.[1] === from
    if (isSingle && reader.text[reader.at] === '-' && reader.text[reader.at + 1] !== ']') {
      reader.at++
      const to = readClassPart(reader).ranges[0]?.[0] ?? 0
      if (to < from) throw invalid(msg('class_range_reversed'), msg('swap_ends'))
      ranges.push([from, to])
    } else ranges.push(...(first.negated ? complement(first.ranges) : first.ranges))
  }
  reader.at++
  if (ranges.length === 0) throw invalid(msg('class_empty'), msg('name_characters'))
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
