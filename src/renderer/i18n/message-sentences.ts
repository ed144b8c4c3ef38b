import { texts } from '../../contract/messages.ts'
import { wordedParams } from './said.ts'
import type { Phrases } from './phrases.ts'

/** The same messages by their English text, for those that were written down with a record. What is nothing but parts fits anything. */
export const sentencesOf = (messages: Readonly<Record<string, string | undefined>>): Phrases =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([code, english]) => {
      const words = messages[code]
      return words !== undefined && /[a-z]{2}/i.test(english.replaceAll(/<\w+>/g, '')) ? [[opened(english), words]] : []
    }),
  )

/** What no language has words for may be anything. */
const opened = (english: string) =>
  english.replaceAll(/"?<(\w+)>"?/g, (part, name: string) =>
    part.startsWith('"') || wordedParams.has(name) ? part : `<${name}*>`,
  )
