/** Columns beyond which a row is better read by itself. */
const most = 60

/** Names of the fields of rejected rows, in order of appearance: rows of different steps have different ones. */
export function fieldsOf(rejects: readonly { row: Record<string, unknown> }[]): string[] {
  const names = new Set<string>()
  for (const { row } of rejects) {
    for (const name of Object.keys(row)) {
      if (names.size >= most) return [...names]
      names.add(name)
    }
  }
  return [...names]
}
