/** Characters that stay at the end; short names are cut as all texts are. */
const kept = 10
const short = 24

/** Where the part begins that is never cut, between two characters; null for a short text. Pure. */
export function cutPoint(text: string): number | null {
  if (text.length <= short) return null
  const at = text.length - kept
  // Not between the halves of a character, nor between a letter and its accent.
  return /^[\p{M}\uDC00-\uDFFF\u200D\uFE0F]/u.test(text.slice(at)) || /[\uDC00-\uDFFF]/.test(text[at] ?? '')
    ? at - 1
    : at
}
