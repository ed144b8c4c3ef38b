// `npm run differential -- CASES SEED`: values arrive exactly, seen by clients that share nothing with the engine. One case: `-- 1 SEED`.
import { runDifferential } from './run-differential.ts'

const [cases = 400, seed = Math.floor(Date.now() / 1000), seconds = Infinity] = process.argv.slice(2).map(Number)
console.log(`${cases} cases from seed ${seed} on …`)
const report = await runDifferential({ cases, seed, seconds: Number.isFinite(seconds) ? seconds : 1e9, known: false })
const outcomes = ['agreed', 'refused', 'known', 'differed'] as const
const line = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(22) : cell.padStart(9))).join('')
console.log(`\n${line(['', 'cases', ...outcomes])}`)
for (const [area, counts] of Object.entries(report.areas)) {
  const all = outcomes.map((outcome) => counts[outcome] ?? 0)
  console.log(line([area, ...[all.reduce((sum, count) => sum + count, 0), ...all].map(String)]))
}
const times = (seeds: readonly number[]): string => `${seeds.length} times (${seeds.slice(0, 5).join(', ')})`
for (const [name, { sentence, seeds }] of Object.entries(report.known))
  if (seeds.length > 0) console.log(`known, ${times(seeds)}: ${name}: ${sentence}`)
for (const { seeds, said } of report.findings)
  console.log(`found ${times(seeds)}: ${said.split('\n').slice(0, 2).join(' ')}`)
console.log(`\n${report.cases} cases in ${report.seconds} s, ${report.findings.length} findings`)
process.exit(report.findings.length > 0 ? 1 : 0)
