/** What a record may not be tagged with: two tags that look alike must be one, and none may turn the text around it. Pure. */
import type { ErrorDetail } from '../../contract/errors.ts'
import { type Message, msg } from '../../contract/messages.ts'
import { VISIBLE } from './visible.rules.ts'

/** Format characters and separators of lines, which turn, break, or hide text. Some scripts and emoji need the two joiners. */
const HIDDEN = /(?![\u200C\u200D])[\p{Cf}\p{Zl}\p{Zp}]/u

export function tagMistake(tag: string): Message | undefined {
  if (/\p{Cc}/u.test(tag)) return msg('control_characters')
  const hidden = HIDDEN.exec(tag)?.[0].codePointAt(0)
  if (hidden !== undefined) {
    return msg('invisible_character', { character: `U+${hidden.toString(16).toUpperCase().padStart(4, '0')}` })
  }
  return VISIBLE.test(tag) ? undefined : msg('no_visible_character')
}

/** Of tags that are given to a record; those that it has already stay. */
export const tagMistakes = (
  given: readonly string[] | undefined,
  before: readonly string[],
  path: string,
): ErrorDetail[] =>
  (given ?? []).flatMap((tag, index) => {
    const reason = before.includes(tag) ? undefined : tagMistake(tag)
    return reason ? [{ path: `${path}[${index}]`, ...reason }] : []
  })
