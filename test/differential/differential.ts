// Values arrive exactly, seen by clients that share nothing with the engine.
import { parseArgs } from 'node:util'
import { runDifferential } from './run-differential.ts'

const usage = `npm run differential -- [CASES [SEED [SECONDS]]]
  CASES    how many random cases (400)
  SEED     of the first one; the next ones have the next seeds (the time). One case: 1 SEED
  SECONDS  begins no case after so long (no limit)
`

function readArguments(): number[] {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    const wrong = positionals.find((word) => !/^[1-9][0-9]*$/.test(word)) ?? positionals[3]
    if (wrong === undefined) return positionals.map(Number)
    throw new Error(`"${wrong}" isn't a whole number greater than 0, or one too many`)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`) // parseArgs throws errors
    process.exit(2)
  }
}

const [cases = 400, seed = Math.floor(Date.now() / 1000), seconds = 1e9] = readArguments()
console.log(`${cases} cases from seed ${seed} on …`)
const report = await runDifferential({ cases, seed, seconds, known: false })
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
