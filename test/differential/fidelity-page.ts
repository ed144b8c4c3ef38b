/** What oracle/fidelity.py writes. */
export interface FidelityReport {
  /** What stands in the columns, in their order. */
  columns: string[]
  /** Of each pair. */
  rows: number
  pairs: { source: string; target: string; columns: { column: string; fate: Fate; words: string }[] }[]
}

/**
 * `told`: the run counts the values that arrive differently; `changed`: not all of them, or others as well; `absent`: the source itself
 * cannot hold such values.
 */
type Fate = 'exact' | 'told' | 'refused' | 'changed' | 'absent'

const signs: Record<Fate, string> = {
  exact: '✓',
  told: 'counted',
  refused: 'refused',
  changed: '**changed**',
  absent: '–',
}

/** The page of the documentation: a table for each source, then the words of what is not exact. */
export function fidelityPage({ columns, pairs, rows }: FidelityReport): string {
  const lines = [
    '# Value conversions',
    '',
    '<!-- Written by test/differential/fidelity.ts, see CONTRIBUTING.md. -->',
    '',
    `This page shows what a test measured: ${columns.length} columns of awkward values, copied from each system to each other. Other programs than`,
    'Headgate wrote the rows and compared every value afterward: Python’s drivers for the databases, PyArrow for Parquet, openpyxl for Excel, and',
    'Python’s readers for CSV and JSON Lines. FerretDB stood in for MongoDB: it takes no decimals, no NaN or infinities, no -0.0, and fewer documents.',
    '',
    `Each pair had ${rows.toLocaleString('en')} rows.`,
    '',
    '- ✓: every value arrived exactly, and in a database or Parquet with the type that [types across systems](types.md) names.',
    '- **counted**: some values arrived in another form. The run reported the column, the change and the number of values, and the number was exact.',
    '- **refused**: the run failed with the reason that is listed below, and wrote nothing.',
    '- –: the source or the target’s test server can’t hold such values, or has no type for them.',
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
      const key = `- **${column}**, ${signs[fate].replaceAll('*', '')}: ${said}`
      words.set(key, [...(words.get(key) ?? []), `${pair.source} → ${pair.target}`])
    }
  }
  if (words.size > 0) lines.push('## What the runs reported', '')
  for (const [key, where] of words) lines.push(`${key} (${where.join(', ')})`)
  return `${lines.join('\n').trimEnd()}\n`
}
