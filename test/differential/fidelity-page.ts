/** What oracle/fidelity.py writes. */
export interface FidelityReport {
  rows: number
  /** What stands in the columns, in their order. */
  columns: string[]
  pairs: { source: string; target: string; columns: { column: string; fate: Fate; words: string }[] }[]
}

/** `told`: values or types are others there, and the log of the run says so; `absent`: the source itself cannot hold such values. */
type Fate = 'exact' | 'told' | 'refused' | 'changed' | 'absent'

const signs: Record<Fate, string> = {
  exact: '✓',
  told: 'told',
  refused: 'refused',
  changed: '**changed**',
  absent: '–',
}

/** The page of the documentation: a table for each source, then the words of what is not exact. */
export function fidelityPage({ rows, columns, pairs }: FidelityReport): string {
  const lines = [
    '# Values from system to system',
    '',
    '<!-- Written by test/differential/fidelity.ts, see CONTRIBUTING.md. -->',
    '',
    `${rows.toLocaleString('en')} rows of awkward values went from each system into each other. They were written and read by other programs`,
    'than Headgate: the drivers of Python for each database, PyArrow for Parquet, Python’s own readers for CSV and JSON Lines.',
    '',
    '- ✓: every value arrived exactly, in the type that [types across systems](types.md) names.',
    '- **told**: values arrive in another form, and the log of the run names the column.',
    '- **refused**: the run fails and names the column; nothing is written.',
    '- –: the source itself cannot hold such values, or has no type for them.',
    '',
  ]
  for (const source of new Set(pairs.map((pair) => pair.source))) {
    const own = pairs.filter((pair) => pair.source === source)
    lines.push(`## From ${source}`, '')
    lines.push(`| | ${own.map(({ target }) => target).join(' | ')} |`, `|---|${own.map(() => '---').join('|')}|`)
    for (const column of columns) {
      const cells = own.map((pair) => signs[pair.columns.find((one) => one.column === column)?.fate ?? 'absent'])
      lines.push(`| ${column} | ${cells.join(' | ')} |`)
    }
    lines.push('')
  }
  const words = new Map<string, string[]>()
  for (const pair of pairs) {
    for (const { column, fate, words: said } of pair.columns) {
      if (fate === 'exact' || fate === 'absent') continue
      const key = `- **${column}**, ${fate}: ${said}`
      words.set(key, [...(words.get(key) ?? []), `${pair.source} → ${pair.target}`])
    }
  }
  if (words.size > 0) lines.push('## In the words of the runs', '')
  for (const [key, where] of words) lines.push(`${key} (${where.join(', ')})`)
  return `${lines.join('\n').trimEnd()}\n`
}
