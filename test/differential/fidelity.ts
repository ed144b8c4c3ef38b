// `node test/differential/fidelity.ts ROWS [SYSTEM …]`: rows of awkward values from each system into each other; the table of what has
// become of them is written into docs/fidelity.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FidelityReport, fidelityPage } from './fidelity-page.ts'
import { oracle } from './oracle.ts'

const [rows = '300000', ...systems] = process.argv.slice(2)
const report = (await oracle('fidelity.py', { rows: Number(rows), systems })) as FidelityReport // as fidelity.py writes it
writeFileSync(join(import.meta.dirname, '../../docs/fidelity.md'), fidelityPage(report))
const changed = report.pairs.flatMap(({ source, target, columns }) =>
  columns
    .filter(({ fate }) => fate === 'changed')
    .map(({ column, words }) => `${source} → ${target}, ${column}: ${words}`),
)
console.log(
  changed.length === 0 ? 'Nothing changed without being told.' : `Changed without being told:\n${changed.join('\n')}`,
)
process.exit(changed.length > 0 ? 1 : 0)
