import type { BoundConnector } from '../contract/executor-protocol.ts'

export type Redact = (text: string) => string

/** Shorter ones are no secrets worth the name, and would blank out half of every line. */
const SHORTEST_SECRET = 4
/** A line of a secret of several lines (a private key) counts as secret itself from this length on. */
const SHORTEST_LINE = 16
/** From this length on its base64 and its hexadecimal digits are hardly something else. */
const SHORTEST_ENCODED = 6

/**
 * Replaces every secret of the connectors by `***`: as it is, as it stands in a URL, in JSON, in HTML, in base64 and in
 * hexadecimal, and each long line of one that has several. Also makes the text well-formed Unicode, for what leaves the
 * worker is stored.
 */
export function redactorFor(connectors: readonly BoundConnector[]): Redact {
  const secrets = new Set(connectors.flatMap((connector) => Object.values(connector.secrets).flatMap(partsOf)))
  if (secrets.size === 0) return (text) => text.toWellFormed()
  // The longest first: a secret may begin with another one.
  const longestFirst = [...secrets].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.flatMap(patternsOf).join('|'), 'g')
  return (text) => text.toWellFormed().replace(pattern, '***')
}

/** `value` with every text in it redacted; keys stay as they are. */
export function redactDeep<T>(value: T, redact: Redact): T {
  return mapTexts(value, redact) as T // same shape, texts for texts
}

function mapTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, redact)]))
}

function partsOf(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return []
  const wellFormed = secret.toWellFormed()
  return [wellFormed, ...wellFormed.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE)]
}

function patternsOf(secret: string): string[] {
  const written = [...secret].map(patternOfCharacter).join('')
  if (secret.length < SHORTEST_ENCODED) return [written]
  const bytes = Buffer.from(secret)
  // Without the end, which stands differently with and without padding; + and / are others where it is made for URLs.
  const begin = bytes.toString('base64').replace(/.?=*$/, '')
  const base64 = begin.replaceAll('+', '[+-]').replaceAll('/', '[/_]')
  return [written, `${base64}[\\w+/-]?={0,2}`, anyCase(bytes.toString('hex'))]
}

/** Letters and digits are written as they are everywhere; of the rest every program makes something else. */
function patternOfCharacter(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character
  const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('')
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const unicode = units.map((unit) => `\\\\u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('')
  const code = character.codePointAt(0) ?? 0
  const entity = `&#(?:0*${code}|[xX]0*${anyCase(code.toString(16))});`
  const own = OWN_WAYS[character] ?? []
  // As it is comes last: it may be how one of the others begins.
  return `(?:${[percent, unicode, entity, ...own.map(escapeRegExp), escapeRegExp(character)].join('|')})`
}

/** In JSON, in forms (a blank) and in HTML. */
const OWN_WAYS: Readonly<Record<string, readonly string[]>> = {
  '"': ['\\"', '&quot;'],
  '\\': ['\\\\'],
  '/': ['\\/'],
  '\n': ['\\n'],
  '\r': ['\\r'],
  '\t': ['\\t'],
  '\b': ['\\b'],
  '\f': ['\\f'],
  ' ': ['+'],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  "'": ["\\'", '&apos;'],
}

const anyCase = (hex: string) =>
  hex.replaceAll(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
