import { type Message, msg } from '../../contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { findJsonMistake } from './http-json.ts'
import { limitPassed, mostLevels, mostValues } from './json-depth.ts'
import { otherCharset } from './http-bodies.ts'
import { Refusal } from './refusal.ts'

/** Bodies are JSON in UTF-8 whose texts are whole characters: what is stored can then be what was sent. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Fastify's own parser also refuses `__proto__`.
  const strict = app.getDefaultJsonParser('error', 'error')
  // What an executor tells has keys out of data: columns may be called anything.
  const lenient = app.getDefaultJsonParser('ignore', 'ignore')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = otherCharset(request.headers['content-type'])
    if (charset !== null) return done(new Refusal('UNSUPPORTED_MEDIA_TYPE', msg('send_utf8', { charset })))
    // parseAs makes it a Buffer.
    const bytes = body as Buffer
    // Decoding would put replacement characters in the place of what is none.
    if (!isUtf8(bytes)) return done(refused('body', msg('not_utf8')))
    const text = bytes.toString('utf8')
    if (text.trim() === '') return done(null, undefined)
    const isExecutor = request.routeOptions.config.operation?.security === 'executor'
    const passed = isExecutor ? undefined : limitPassed(text)
    if (passed) {
      const most = passed === 'too_many_levels' ? mostLevels : mostValues
      return done(refused('body', msg(passed, { most })))
    }
    const parse = isExecutor ? lenient : strict
    void parse(request, text, (error, value: unknown) => {
      if (error) return done(malformed(text, error))
      const halved = holdsHalfCharacter(text, value) ? findHalfCharacter(value, 'body') : undefined
      if (halved !== undefined) return done(refused(halved.slice(0, 500), msg('holds_half_character')))
      const rounded = parse === strict && longInteger.test(text) ? findRounded(text) : undefined
      if (rounded === undefined) done(null, value)
      else done(refused(rounded.path.slice(0, 500), msg('number_rounded', { number: rounded.source.slice(0, 100) })))
    })
  })
}

/** UTF-8 cannot hold a half character, escapes can. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/** What JSON.stringify escapes is half a character; where a backslash stands before it, it is text. */
const ESCAPED_HALF = /(?<!\\)(?:\\\\)*\\ud[89a-f]/
/** Looking for the place takes longer than writing the value again. */
const holdsHalfCharacter = (text: string, value: unknown) =>
  ESCAPED_SURROGATE.test(text) && ESCAPED_HALF.test(JSON.stringify(value))

/** Where a text, or a key, holds half a character. */
const findHalfCharacter = (root: unknown, path: string): string | undefined =>
  findIn(root, path, (value) => typeof value === 'string' && !value.isWellFormed())?.path

/** The first value that is meant, or an object with a key of half a character. Iterative, so that nesting cannot exhaust the stack. */
function findIn(
  root: unknown,
  path: string,
  isMeant: (value: unknown) => boolean,
): { value: unknown; path: string } | undefined {
  const open: { value: unknown; path: string }[] = [{ value: root, path }]
  // What holds nothing and is not meant, most of a body, takes no place.
  const take = (value: unknown, at: () => string) => {
    if ((typeof value === 'object' && value !== null) || isMeant(value)) open.push({ value, path: at() })
  }
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path: place } = next
    if (isMeant(value)) return next
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const [index, inner] of value.entries()) take(inner, () => `${place}[${index}]`)
      continue
    }
    for (const key of Object.keys(value)) {
      if (!key.isWellFormed()) return next
      // One of its own keys.
      take((value as Record<string, unknown>)[key], () => `${place}.${key}`)
    }
  }
  return undefined
}

const longInteger = /\d{16}/

/** An integer that JavaScript's numbers don't hold: they would silently be another one. Parsed again, as only that tells what was written. */
function findRounded(text: string): { path: string; source: string } | undefined {
  const sources = new Map<object, string>()
  const root: unknown = JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? ''
    if (typeof value !== 'number' || !/^-?\d{16,}$/.test(source) || isExact(source, value)) return value
    const marked = {}
    sources.set(marked, source)
    return marked
  })
  if (sources.size === 0) return undefined
  const found = findIn(root, 'body', (value) => typeof value === 'object' && value !== null && sources.has(value))
  return found && { path: found.path, source: sources.get(found.value as object) ?? '' }
}

/** Numbers end at 309 digits, and what is longer takes long to read. */
const isExact = (source: string, value: number) =>
  source.length < 400 && Number.isFinite(value) && BigInt(source) === BigInt(value)

const refused = (path: string, reason: Message) =>
  new Refusal('VALIDATION_ERROR', undefined, { details: [{ path, ...reason }] })

function malformed(text: string, error: Error): Refusal {
  if (isJson(text)) {
    return refused('body', msg('key_not_allowed'))
  }
  const refusal = new Refusal('VALIDATION_ERROR', undefined, {
    details: [{ path: 'body', ...findJsonMistake(text) }],
  })
  refusal.cause = error
  return refusal
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
