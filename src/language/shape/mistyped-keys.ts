import { nearest } from '../nearest.ts'
import type { YamlMap } from '../yaml/yaml-tree.ts'

/** Looking for what was meant takes time. */
const MAX_MISTYPED = 10

/**
 * The map with keys read as those that were meant: unknown ones that are near one of `keys` that is not there. They keep what
 * is `written`, which is reported where the map is read. So a mistyped key is one mistake, not also a missing one.
 */
export function readMistyped(map: YamlMap, keys: readonly string[]): YamlMap {
  const known = new Set(keys)
  const unknown = map.entries.filter(({ key }) => !known.has(key))
  if (unknown.length === 0 || unknown.length > MAX_MISTYPED) return map
  const free = new Set(keys)
  for (const { key } of map.entries) free.delete(key)
  const meant = new Map<string, string>()
  for (const { key } of unknown) {
    const near = nearest(key, free)
    if (near === null) continue
    meant.set(key, near)
    free.delete(near)
  }
  if (meant.size === 0) return map
  return {
    ...map,
    entries: map.entries.map((entry) => ({ ...entry, key: meant.get(entry.key) ?? entry.key, written: entry.written ?? entry.key })),
  }
}
