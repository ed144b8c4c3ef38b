export interface ValueComparison {
  name: string
  a: unknown
  b: unknown
  differs: boolean
}

/** How much more b has; null where one of them is not known. */
export const minus = (a: number | null | undefined, b: number | null | undefined) =>
  a === null || a === undefined || b === null || b === undefined ? null : b - a

/** Those that differ first, otherwise in their order. */
export const differingFirst = <Row>(rows: readonly Row[], differs: (row: Row) => boolean): Row[] => [
  ...rows.filter(differs),
  ...rows.filter((row) => !differs(row)),
]

/** The order of keys does not make two values differ. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([x], [y]) => (x < y ? -1 : 1)))
        : part,
    ) ?? ''
  )
}

/** Values that either side has under a name, those that differ first. */
export function compareValues(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): ValueComparison[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted()
  const rows = names.map((name) => ({
    name,
    a: a[name],
    b: b[name],
    differs: canonical(a[name]) !== canonical(b[name]),
  }))
  return differingFirst(rows, (row) => row.differs)
}
