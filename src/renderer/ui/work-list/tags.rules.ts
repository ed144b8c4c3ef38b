/** Tags of several records. Pure. */

/** Each tag, and how many of the records have it; by name. */
export function tagCounts(records: readonly { tags: readonly string[] }[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { tags } of records) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([tag, count]) => ({ tag, count })).toSorted((a, b) => a.tag.localeCompare(b.tag))
}
