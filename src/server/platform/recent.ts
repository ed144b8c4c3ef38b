/** What was made lately, by key; the least recently used one is forgotten first. Only for what never changes. */
export function createRecent<V>(kept: number) {
  const values = new Map<string | number, V>()
  return {
    has: (key: string | number) => values.has(key),
    /** `make` may have nothing to give, which is not kept. */
    get<M extends V | undefined>(key: string | number, make: () => M): V | M {
      const known = values.get(key)
      if (known !== undefined) {
        values.delete(key)
        values.set(key, known)
        return known
      }
      const made = make()
      if (made === undefined) return made
      values.set(key, made)
      if (values.size > kept) values.delete(values.keys().next().value!)
      return made
    },
  }
}
