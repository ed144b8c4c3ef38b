// `npm run bench -- [name…] [--times N] [--json FILE] [--against FILE]`: each benchmark runs on its own, one after the other, in a fresh
// process, N times (2). One table has the medians, how much they vary, and the bar beside them. `--json` keeps the figures;
// `--against` lists what is slower than in such a file by more than the noise, and then ends with 1.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchReport, measured, slower } from './against.ts'
import type { BenchResult } from './result.ts'

const here = import.meta.dirname
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '2' }, json: { type: 'string' }, against: { type: 'string' } },
})
const names = readdirSync(here)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => basename(file, '.bench.ts'))
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}`)
  process.exit(1)
}
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) {
  console.error('--times must be a whole number, 1 or greater')
  process.exit(1)
}
// Read first: a file that is not there should not be found missing after an hour.
const earlier = values.against === undefined ? null : (JSON.parse(readFileSync(values.against, 'utf8')) as BenchReport) // as `--json` wrote it

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, load ${loadavg()[0]?.toFixed(2)}, Node ${process.version}`
console.log(machine)

function runOne(name: string): BenchResult[] {
  const { stdout, status } = spawnSync(process.execPath, [join(here, 'run-one.ts'), name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 2 ** 20,
  })
  const line = stdout.trim().split('\n').at(-1)
  // run-one.ts prints its results as the last line.
  if (status === 0 && line) return JSON.parse(line) as BenchResult[]
  console.error(`${name} failed`)
  process.exitCode = 1
  return []
}

const rounds = Array.from({ length: times }, (_, at) =>
  names
    .filter((name) => positionals.length === 0 || positionals.includes(name))
    .flatMap((name) => {
      console.error(`… ${name}, ${at + 1} of ${times}`)
      return runOne(name)
    }),
)
const results = measured(rounds)
console.table(
  Object.fromEntries(
    results.map(({ name, value, values: all, unit, bar, note }) => [
      name,
      {
        value: `${value} ${unit}`,
        values: all.join(', '),
        bar: bar ?? '',
        holds: holds(name),
        note: note ?? '',
      },
    ]),
  ),
)

function holds(name: string): string {
  const passed = rounds.flat().flatMap((result) => (result.name === name ? (result.passed ?? []) : []))
  return passed.length === 0 ? '' : passed.every(Boolean) ? 'yes' : passed.some(Boolean) ? 'not always' : 'NO'
}

if (values.json !== undefined) {
  const report: BenchReport = { at: new Date().toISOString(), machine, results }
  writeFileSync(values.json, `${JSON.stringify(report, null, 1)}\n`)
}
if (earlier !== null) {
  const worse = slower(earlier.results, results)
  console.log(`\nCompared with ${earlier.at} on ${earlier.machine}`)
  if (worse.length === 0) console.log('Nothing is slower by more than the noise.')
  else {
    process.exitCode = 1
    for (const { name, before, now, unit, change, noise } of worse)
      console.log(`${name}: ${before} → ${now} ${unit}, ${change.toFixed(0)} % worse (noise ${noise.toFixed(0)} %)`)
  }
}
