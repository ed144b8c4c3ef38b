/** What one side was given by name, and what it used for the others; null: nothing. */
export interface Values {
  given: Readonly<Record<string, unknown>>
  defaults?: Readonly<Record<string, unknown>>
}

/** undefined: there is none. */
export interface ComparedValue {
  value: unknown
  isDefault: boolean
}

export interface ValueComparison {
  name: string
  a: ComparedValue
  b: ComparedValue
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

/** A field left empty in a form is null: as if it wasn’t given. */
function valueOf({ given, defaults }: Values, name: string): ComparedValue {
  const isDefault = (given[name] ?? null) === null
  return { value: (isDefault ? defaults?.[name] : given[name]) ?? undefined, isDefault }
}

/** Values that either side has under a name, those that differ first. */
export function compareValues(a: Values, b: Values): ValueComparison[] {
  const names = [a, b].flatMap(({ given, defaults = {} }) => [...Object.keys(given), ...Object.keys(defaults)])
  const rows = [...new Set(names)].toSorted().map((name) => {
    const [left, right] = [valueOf(a, name), valueOf(b, name)]
    return { name, a: left, b: right, differs: canonical(left.value) !== canonical(right.value) }
  })
  return differingFirst(rows, (row) => row.differs)
}
