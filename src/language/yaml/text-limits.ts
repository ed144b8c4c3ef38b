import type { Report } from '../diagnostic-collector.ts'
import { msg } from '../messages.ts'

/** Refused before parsing. In UTF-8 bytes, as the REST interface counts. */
export const MAX_TEXT_BYTES = 1_048_576

/**
 * Refuses what no parser should see: too much text, characters YAML forbids (a NUL would end the document silently), halves
 * of surrogate pairs. Returns false when the text must not be parsed.
 */
export function checkText(text: string, report: Report): boolean {
  // Every UTF-16 unit takes at least one byte: the cheap test first, so that 10 MB are not even counted.
  if (text.length > MAX_TEXT_BYTES || utf8Length(text) > MAX_TEXT_BYTES) {
    report({
      code: 'document_too_large',
      message: msg('document_too_large'),
      hint: msg('move_rows_and_read'),
      path: '',
      at: { start: 0, end: 0 },
    })
    return false
  }
  if (text.trim() === '' || text === '\u{FEFF}') {
    report({
      code: 'document_empty',
      message: msg('document_empty'),
      hint: msg('start_with_version'),
      path: '',
      at: { start: 0, end: 0 },
    })
    return false
  }
  return checkCharacters(text, report)
}

const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
/** More than are told. */
const MAX_CHARACTERS = 200
const BIDIRECTIONAL = /[\u202A-\u202E\u2066-\u2069]/g

function checkCharacters(text: string, report: Report): boolean {
  let forbidden = 0
  for (const match of text.matchAll(FORBIDDEN)) {
    if (++forbidden > MAX_CHARACTERS) break
    report({
      code: 'invalid_character',
      message: msg('character_not_allowed', { character: codePoint(match[0]) }),
      hint: msg('delete_it'),
      path: '',
      at: { start: match.index, end: match.index + 1 },
    })
  }
  if (forbidden > 0) return false
  let hidden = 0
  for (const match of text.matchAll(BIDIRECTIONAL)) {
    if (++hidden > MAX_CHARACTERS) break
    report({
      code: 'hidden_character',
      message: msg('hidden_character', { character: codePoint(match[0]) }),
      hint: msg('delete_it'),
      path: '',
      at: { start: match.index, end: match.index + 1 },
    })
  }
  return true
}

function codePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}
