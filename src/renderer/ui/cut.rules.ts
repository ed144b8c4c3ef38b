/** Characters that stay at the end; short names are cut as all texts are. */
const kept = 10
const short = 24

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Where the part begins that is never cut, between two characters as people see them; null for a short text. Pure. */
export const cutPoint = (text: string, ofEnd = kept, most = short): number | null =>
  text.length > most ? (characters.segment(text).containing(text.length - ofEnd)?.index ?? null) : null
