import type { Phrases } from './phrases.ts'
import { wordedParams } from './said.ts'

type Texts = Readonly<Record<string, string | undefined>>

/** The same messages by their English text, for those that were written down with a record. What is nothing but parts fits anything. */
export const sentencesOf = (english: Texts, words: Texts): Phrases =>
  Object.fromEntries(
    Object.entries(english).flatMap(([code, text = '']) => {
      const known = words[code]
      return known !== undefined && /[a-z]{2}/i.test(text.replaceAll(/<\w+(:[^>]+)?>/g, ''))
        ? [[opened(text), closed(known)]]
        : []
    }),
  )

/** What no language has words for may be anything. */
const opened = (english: string) =>
  closed(english).replaceAll(/"?<(\w+)>"?/g, (part, name: string) =>
    part.startsWith('"') || wordedParams.has(name) ? part : `<${name}*>`,
  )

/** A list, and what begins with a capital, is a part like any other here. */
const closed = (text: string) =>
  text.replaceAll(/<(\w)(\w*)(?::[^>]+)?>/g, (_, first: string, rest: string) => `<${first.toLowerCase()}${rest}>`)
