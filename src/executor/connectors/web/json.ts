import { shortened } from '../../../language/shortened.ts'
import { EngineError } from '../../engine/errors.ts'
import { documentPlace, type Place } from '../../formats/json/places.ts'
import { JsonFault } from '../../formats/json/scan.ts'
import { TypedText } from '../../sources/record-values.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * JSON without rounding: what a number of JavaScript cannot hold exactly comes as `bigint` or as a decimal's text. Halves of characters,
 * which no database takes, become U+FFFD.
 */

/** Only a text with such numbers needs the slower way. */
const needsCare = /[\d.]{16}|\.\d*0(?!\d)|\d[eE][+-]?\d|\\u[dD][89a-fA-F]|-0(?![.\d])/

/** `halves`: whether those of characters stay, for what counts them. */
export function parseJson(text: string, halves: 'replaced' | 'kept' = 'replaced'): unknown {
  if (!needsCare.test(text)) return JSON.parse(text)
  // The third parameter is newer than the library's types.
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
  return parse(text, (_key, value, { source }) => {
    if (typeof value === 'string') return halves === 'kept' ? value : value.toWellFormed()
    return typeof value === 'number' && source !== undefined ? exact(value, source) : value
  })
}

function exact(value: number, source: string): unknown {
  if (/^-?\d+$/.test(source)) {
    // JSON of JavaScript's would write 0.
    if (Object.is(value, -0)) return new TypedText('number', source)
    if (Number.isSafeInteger(value)) return value
    return source.length <= 40 ? BigInt(source) : new TypedText('decimal', source)
  }
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
  if (digits.length > 15 || !Number.isFinite(value)) {
    return /[eE]/.test(source) ? new TypedText('number', source) : new TypedText('decimal', source)
  }
  // As it is written: `2.0` is no integer, and `1.10` keeps its zero inside of documents.
  return String(value) === source ? value : new TypedText('number', source)
}

/** Text that is the same for the same values, for comparing pages. */
export function fingerprint(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Large integers: the function makes it several times slower.
    return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
  }
}

/** An answer's JSON, looked through to its end, or what came instead of it, without what `scrub` takes out. */
export function scanJson(
  text: string,
  contentType: string,
  what: string,
  scrub: (text: string) => string,
): { bytes: Buffer; place: Place; halved: string | null } {
  const unmarked = text.startsWith('\ufeff') ? text.slice(1) : text
  const whole = wholeCharacters(unmarked)
  const bytes = Buffer.from(whole)
  try {
    return { bytes, place: documentPlace(bytes), halved: whole === unmarked ? null : unmarked }
  } catch (error) {
    if (error instanceof JsonFault && error.deep) {
      throw new EngineError(
        'RESPONSE_INVALID',
        runMessage('json_of_answer_unreadable', { what, cause: error.reason, byte: error.at + 1 }),
        {
          hint: runMessage('json_of_answer_unreadable_fix'),
          cause: error,
        },
      )
    }
    const kind = contentType === '' ? runMessage('no_content_type') : (contentType.split(';', 1)[0] ?? '')
    const start = shortened(scrub(text.slice(0, 10_000)).trim(), 200)
    throw new EngineError(
      'RESPONSE_INVALID',
      start === ''
        ? runMessage('answer_not_json_empty', { what, type: kind })
        : runMessage('answer_not_json', { what, type: kind, start }),
      { hint: runMessage('answer_not_json_fix'), cause: error },
    )
  }
}

const escapedHalf = /\\u[dD][89a-fA-F]/

/** Halves of characters that are escaped become U+FFFD; those that stand there themselves were no UTF-8. */
function wholeCharacters(text: string): string {
  if (!escapedHalf.test(text)) return text
  return text.replace(/\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..|[^])/g, (escaped) =>
    /^\\u[dD][89a-fA-F]/.test(escaped) && escaped.length === 6 ? '\ufffd' : escaped,
  )
}

/** What stands at a dotted path; keys that hold points themselves are found, too. undefined: nothing. */
export function valueAt(value: unknown, path: string): unknown {
  return find(value, path.split('.'))
}

function find(value: unknown, parts: string[]): unknown {
  if (parts.length === 0) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (let count = 1; count <= parts.length; count++) {
    const key = parts.slice(0, count).join('.')
    if (!Object.hasOwn(value, key)) continue
    const found = find((value as Record<string, unknown>)[key], parts.slice(count)) // an own key of it
    if (found !== undefined) return found
  }
  return undefined
}
