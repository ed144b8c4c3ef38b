import { EngineError } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Which files are meant, the same on every store: `*`, `?`, `[ab]`, `[!a-z]`, `{a,b}`, and `**` for any folders. */
export interface FilePattern {
  readonly text: string
  /** No wildcard: one path. */
  readonly literal: boolean
  /** Begins every path that matches. */
  readonly prefix: string
  /** The folder that all of them lie below; '' is the root. */
  readonly base: string
  /** They lie right in `base`. */
  readonly flat: boolean
  /** It goes down any number of folders. */
  readonly recursive: boolean
  matches(path: string): boolean
  /** Whether something below the folder may match. */
  below(folder: string): boolean
}

/** null stands for `*`. */
type Token = ((character: string) => boolean) | null
type Segment = { anyFolders: true } | { anyFolders: false; tokens: Token[]; hidden: boolean }

/** Braces multiply; more than these are a mistake. */
const mostAlternatives = 1000

export function filePattern(text: string): FilePattern {
  const alternatives = expandBraces(text)
  const patterns = alternatives.map((alternative) => alternative.normalize('NFC').split('/').map(readSegment))
  const prefix = alternatives.map((one) => one.slice(0, wildcardAt(one))).reduce(commonStart)
  const base = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')))
  const recursive = patterns.some((segments) => segments.some((segment) => segment.anyFolders))
  const depth = base === '' ? 1 : base.split('/').length + 1
  return {
    text,
    literal: alternatives.length === 1 && prefix === text,
    prefix,
    base,
    flat: !recursive && patterns.every((segments) => segments.length === depth),
    recursive,
    matches(path) {
      const names = path.normalize('NFC').split('/')
      if (names.at(-1)?.startsWith('.') !== false) return false
      return patterns.some((segments) => walk(segments, names).has(segments.length))
    },
    below(folder) {
      const names = folder === '' ? [] : folder.normalize('NFC').split('/')
      return patterns.some((segments) => [...walk(segments, names)].some((at) => at < segments.length))
    },
  }
}

/** The places in the pattern that one may be at after these names. */
function walk(segments: readonly Segment[], names: readonly string[]): Set<number> {
  let places = withEmpty(segments, [0])
  for (const name of names) {
    const next: number[] = []
    for (const at of places) {
      const segment = segments[at]
      if (segment?.anyFolders === true) {
        if (!name.startsWith('.')) next.push(at, ...(at === segments.length - 1 ? [at + 1] : []))
      } else if (segment && (segment.hidden || !name.startsWith('.')) && fits(segment.tokens, name)) next.push(at + 1)
    }
    places = withEmpty(segments, next)
  }
  return places
}

/** `**` also stands for no folder at all; at the end it stands for what is in one. */
function withEmpty(segments: readonly Segment[], places: readonly number[]): Set<number> {
  const all = new Set<number>()
  for (let at of places) {
    all.add(at)
    while (segments[at]?.anyFolders === true && at < segments.length - 1) all.add(++at)
  }
  return all
}

/** Goes back to the last `*` only, so that no pattern takes long. */
function fits(tokens: readonly Token[], name: string): boolean {
  const characters = Array.from(name)
  let [at, token, star, resume] = [0, 0, -1, 0]
  while (at < characters.length) {
    const wanted = tokens[token]
    if (wanted === null) {
      star = token++
      resume = at
    } else if (wanted?.(characters[at] ?? '') === true) {
      token++
      at++
    } else if (star >= 0) {
      token = star + 1
      at = ++resume
    } else return false
  }
  return tokens.slice(token).every((rest) => rest === null)
}

function readSegment(text: string): Segment {
  if (text === '**') return { anyFolders: true }
  const characters = Array.from(text)
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    const end = character === '[' ? characters.indexOf(']', at + (isNegation(characters[at + 1]) ? 3 : 2)) : -1
    if (character === '*') tokens.push(null)
    else if (character === '?') tokens.push(() => true)
    else if (end > 0) {
      tokens.push(readSet(characters.slice(at + 1, end)))
      at = end
    } else tokens.push((found) => found === character)
  }
  return { anyFolders: false, tokens, hidden: text.startsWith('.') }
}

function isNegation(character: string | undefined): boolean {
  return character === '!' || character === '^'
}

function readSet(characters: readonly string[]): (character: string) => boolean {
  const negated = isNegation(characters[0])
  const ranges: [string, string][] = []
  for (let at = negated ? 1 : 0; at < characters.length; at++) {
    const from = characters[at] ?? ''
    const to = characters[at + 1] === '-' ? characters[at + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) at += 2
  }
  const order = (character: string): number => character.codePointAt(0) ?? 0
  return (found) => ranges.some(([from, to]) => order(found) >= order(from) && order(found) <= order(to)) !== negated
}

/** `a{b,c}` is `ab` and `ac`; braces without a comma, or not closed, are themselves. */
function expandBraces(text: string): string[] {
  let done: string[] = ['']
  let at = 0
  while (at < text.length) {
    const group = text[at] === '{' ? readGroup(text, at) : null
    const parts = group ? group.parts.flatMap(expandBraces) : [text[at] ?? '']
    done = done.flatMap((start) => parts.map((part) => start + part))
    if (done.length > mostAlternatives) {
      throw new EngineError('TASK_INVALID', runMessage('pattern_has_too_many', { text: text.slice(0, 80) }), {
        hint: runMessage('pattern_has_too_many_fix', { most: mostAlternatives }),
      })
    }
    at = group ? group.end + 1 : at + 1
  }
  return [...new Set(done)]
}

function readGroup(text: string, start: number): { parts: string[]; end: number } | null {
  const parts: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}') depth--
    if (depth === 0 || (depth === 1 && text[at] === ',')) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
    if (depth === 0) return parts.length > 1 ? { parts, end: at } : null
  }
  return null
}

function wildcardAt(text: string): number {
  const at = text.search(/[*?[]/)
  return at === -1 ? text.length : at
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
