/** What names and tags may not hold: two that look alike must be one, and none may turn the text around it. Pure. */
import { type Message, msg } from '../../contract/messages.ts'

/** A character that can be seen. */
export const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u
/** Format characters and separators of lines, which turn, break, or hide text. Some scripts and emoji need the two joiners. */
const HIDDEN = /(?![\u200C\u200D])[\p{Cf}\p{Zl}\p{Zp}]/u

/** What is wrong with a name or a tag; undefined when nothing is. */
export function nameMistake(name: string): Message | undefined {
  if (/\p{Cc}/u.test(name)) return msg('control_characters')
  const hidden = HIDDEN.exec(name)?.[0].codePointAt(0)
  if (hidden !== undefined) {
    return msg('invisible_character', { character: `U+${hidden.toString(16).toUpperCase().padStart(4, '0')}` })
  }
  return VISIBLE.test(name) ? undefined : msg('no_visible_character')
}
