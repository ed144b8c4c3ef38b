/** Selected rows of a table, by key. Pure. */

type Keys = ReadonlySet<string>

/** With the row, or without it. */
export function toggledKey(selected: Keys, key: string): Keys {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

/** With all rows from one to the other, whichever stands higher. */
export function withRange(selected: Keys, keys: readonly string[], from: number, to: number): Keys {
  const [first, last] = from < to ? [from, to] : [to, from]
  return new Set([...selected, ...keys.slice(Math.max(0, first), last + 1)])
}
