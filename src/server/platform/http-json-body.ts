import { type Message, msg } from '../../contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { findJsonMistake } from './http-json.ts'
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
    if (!isExecutor && isDeeperThan(mostLevels, text))
      return done(refused('body', msg('nested_too_deep', { most: mostLevels })))
    const parse = isExecutor ? lenient : strict
    void parse(request, text, (error, value: unknown) => {
      if (error) return done(malformed(text, error))
      const halved = ESCAPED_SURROGATE.test(text) ? findHalfCharacter(value, 'body') : undefined
      if (halved !== undefined) return done(refused(halved.slice(0, 500), msg('holds_half_character')))
      const rounded = parse === strict && longInteger.test(text) ? findRounded(text) : undefined
      if (rounded === undefined) done(null, value)
      else done(refused(rounded.path.slice(0, 500), msg('number_rounded', { number: rounded.source.slice(0, 100) })))
    })
  })
}

/** Deeper values would exhaust the stack where they are written again: for executors, the store, or an answer. */
const mostLevels = 500

/** What opens and closes in a text that need not be JSON. */
function isDeeperThan(most: number, text: string): boolean {
  let levels = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    // [ and {, ] and }
    else if (code === 91 || code === 123) {
      if (++levels > most) return true
    } else if (code === 93 || code === 125) levels--
  }
  return false
}
const [quote, backslash] = [34, 92]

/** UTF-8 cannot hold a half character, escapes can. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

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
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path: place } = next
    if (isMeant(value)) return next
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!key.isWellFormed()) return next
      open.push({ value: inner, path: Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}` })
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
    if (typeof value !== 'number' || !/^-?\d{16,}$/.test(source) || BigInt(source) === BigInt(value)) return value
    const marked = {}
    sources.set(marked, source)
    return marked
  })
  if (sources.size === 0) return undefined
  const found = findIn(root, 'body', (value) => typeof value === 'object' && value !== null && sources.has(value))
  return found && { path: found.path, source: sources.get(found.value as object) ?? '' }
}

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
