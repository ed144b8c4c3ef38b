/** What names and tags may not hold: two that look alike must be one, and none may turn the text around it. Pure. */
import { type Message, msg } from '../../contract/messages.ts'

/** A character that can be seen. */
export const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u
/** Format characters, separators of lines, and fillers, which turn, break, or hide text. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/**
 * Joiners and selectors of variants where they change what is seen: after emoji and letters of scripts that need them. Latin, Greek,
 * and Cyrillic don't, so that there is one `root` only.
 */
const SHAPING =
  /(?:(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}])[\p{L}\p{M}])|(?<=[0-9#*])(?=\uFE0F\u20E3))[\p{Join_Control}\p{Variation_Selector}\u180E]/gu

/** What is wrong with a name or a tag; undefined when nothing is. */
export function nameMistake(name: string): Message | undefined {
  if (/\p{Cc}/u.test(name)) return msg('control_characters')
  if (!VISIBLE.test(name)) return msg('no_visible_character')
  const hidden = HIDDEN.exec(name.replaceAll(SHAPING, ''))?.[0].codePointAt(0)
  if (hidden !== undefined) {
    return msg('invisible_character', { character: `U+${hidden.toString(16).toUpperCase().padStart(4, '0')}` })
  }
  return undefined
}
