/** The value of a JSON-encoded field; undefined where there is none or it cannot be read. */
export function jsonValue(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
