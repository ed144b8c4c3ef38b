/** Deeper values would exhaust the stack where they are written again: for executors, the store, or an answer. */
export const mostLevels = 500

/** More take the server's thread for a second: to parse, to check, and to say what is wrong with them. */
export const mostValues = 250_000

export const isTooDeep = (text: string): boolean => limitPassed(text) === 'too_many_levels'

/** What opens, closes and separates in a text that need not be JSON. */
export function limitPassed(text: string): 'too_many_levels' | 'too_many_elements' | undefined {
  let levels = 0
  let values = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    // [ and {, ] and }
    else if (code === 91 || code === 123) {
      if (++levels > mostLevels) return 'too_many_levels'
    } else if (code === 93 || code === 125) levels--
    else if (code === comma && ++values > mostValues) return 'too_many_elements'
  }
  return undefined
}
const [quote, backslash, comma] = [34, 92, 44]
