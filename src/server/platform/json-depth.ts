/** Deeper values would exhaust the stack where they are written again: for executors, the store, or an answer. */
export const mostLevels = 500

/** What opens and closes in a text that need not be JSON. */
export function isTooDeep(text: string): boolean {
  let levels = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    // [ and {, ] and }
    else if (code === 91 || code === 123) {
      if (++levels > mostLevels) return true
    } else if (code === 93 || code === 125) levels--
  }
  return false
}
const [quote, backslash] = [34, 92]
