// `npm run check`: everything that can be said about the code without running it. Each step runs; the first failure does not
// hide the others.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const layers = readdirSync('src').filter((name) => existsSync(`src/${name}/tsconfig.json`))
const steps: [name: string, command: string, args: string[]][] = [
  ['format', 'oxfmt', ['--check']],
  ['lint', 'oxlint', ['--type-aware', '--quiet']],
  ...[...layers.map((name) => `src/${name}`), 'test'].map((path): [string, string, string[]] => [
    `types ${path}`,
    'tsc',
    ['--noEmit', '-p', path],
  ]),
  ['layers', 'depcruise', ['--output-type', 'err', 'src', 'test', 'tools']],
  ['unused', 'knip', ['--no-progress']],
]

const failed: string[] = []
for (const [name, command, args] of steps) {
  const started = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`)
  process.exit(1)
}
