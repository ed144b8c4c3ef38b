import type { Json } from '../task/task.types.ts'

const LONGEST = 60

/**
 * A text for each item of a list by which saved state finds it again: the same value always gives the same one, whatever stands
 * around it; of equal values the second one gets `#2`, the third one `#3`. Texts stay as they are where nothing else could be
 * meant; long ones are cut, and told apart by a hash.
 */
export function keysOfItems(items: readonly Json[]): string[] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const key = keyOf(item)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count === 1 ? key : `${key}#${count}`
  })
}

function keyOf(item: Json): string {
  const text = typeof item === 'string' && isPlain(item) ? item : canonical(item)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 16).toWellFormed()}…${hash(text)}`
}

/** Cannot be mistaken for another value's JSON, for a cut text or for a second of its kind. */
function isPlain(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (!/^[^"[{…#\u0000-\u001f][^…#\u0000-\u001f]*$/.test(text)) return false
  return !/^(true|false|null|-?\d+(\.\d+)?([eE][-+]?\d+)?)$/.test(text)
}

/** JSON with the keys of objects in order. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** 53 bits (cyrb53): for telling texts apart, not for secrets. */
function hash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
