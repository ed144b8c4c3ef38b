/** An operator of DuckDB's JSON profile, as far as we ask for it. */
export interface ProfileNode {
  operator_name?: string
  operator_cardinality?: number
  extra_info?: Record<string, unknown>
  children?: ProfileNode[]
}

/** The operators from the leaf up, where the plan is one chain without branches; else null. */
export function chainOf(root: ProfileNode): ProfileNode[] | null {
  const chain: ProfileNode[] = []
  for (let node: ProfileNode | undefined = root; node; node = node.children?.[0]) {
    if ((node.children?.length ?? 0) > 1) return null
    if (node.operator_name !== undefined) chain.push(node)
  }
  return chain.toReversed()
}

/** The operators from the top down to where the plan branches. */
export function topOf(root: ProfileNode): ProfileNode[] {
  const chain: ProfileNode[] = []
  for (let node: ProfileNode | undefined = root; node; node = node.children?.[0]) {
    if (node.operator_name !== undefined) chain.push(node)
    if ((node.children?.length ?? 0) > 1) break
  }
  return chain
}

/** Rows that came out of the query, also where a table or a file took them; null where the plan does not say. */
export function rowsGiven(root: ProfileNode): number | null {
  for (let node: ProfileNode | undefined = root; node; node = node.children?.[0]) {
    if (node.operator_name === undefined || isSink(node)) continue
    // These pass on the rows of what is below them, and count none themselves.
    const name = nameOf(node)
    return name.includes('CTE') || name.includes('DELIM_JOIN') ? null : rowsOf(node)
  }
  return null
}

export function isFilter(node: ProfileNode): boolean {
  return nameOf(node) === 'FILTER'
}

/** Operators that give as many rows as they get. */
export function keepsRows(node: ProfileNode): boolean {
  return nameOf(node) === 'PROJECTION' || isSink(node)
}

/** What takes the rows in the end. */
function isSink(node: ProfileNode): boolean {
  const name = nameOf(node)
  return (
    name.includes('COPY_TO_FILE') ||
    name.includes('CREATE_TABLE') ||
    name.includes('INSERT') ||
    name === 'EXPLAIN_ANALYZE'
  )
}

export function rowsOf(node: ProfileNode): number | null {
  return typeof node.operator_cardinality === 'number' ? node.operator_cardinality : null
}

function nameOf(node: ProfileNode): string {
  return (node.operator_name ?? '').trim().toUpperCase()
}
