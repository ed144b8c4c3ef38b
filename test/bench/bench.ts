// `npm run bench [name…]`: each benchmark runs on its own, one after the other, in a fresh process, and the figures stand in
// one table with the bar beside them. Ratios are taken within one run; say the machine's noise with them.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import type { BenchResult } from './result.ts'

const here = import.meta.dirname
const names = readdirSync(here)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => basename(file, '.bench.ts'))
const wanted = process.argv.slice(2)
const chosen = wanted.length > 0 ? names.filter((name) => wanted.includes(name)) : names
if (chosen.length === 0) {
  console.error(`No such benchmark. There are: ${names.join(', ')}`)
  process.exit(1)
}

console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, load ${loadavg()[0]?.toFixed(2)}, Node ${process.version}`,
)
const all: BenchResult[] = []
for (const name of chosen) {
  console.error(`… ${name}`)
  const { stdout, status } = spawnSync(process.execPath, [join(here, 'run-one.ts'), name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 2 ** 20,
  })
  const line = stdout.trim().split('\n').at(-1)
  if (status !== 0 || !line) {
    console.error(`${name} failed`)
    process.exitCode = 1
    continue
  }
  // run-one.ts prints its results as the last line.
  all.push(...(JSON.parse(line) as BenchResult[]))
}
console.table(
  Object.fromEntries(
    all.map(({ name, value, unit, bar, passed, note }) => [
      name,
      {
        value: `${value} ${unit}`,
        bar: bar ?? '',
        holds: passed === undefined ? '' : passed ? 'yes' : 'NO',
        note: note ?? '',
      },
    ]),
  ),
)
