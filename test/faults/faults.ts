// `npm run faults`: the fault tests with many more deaths than `npm test` has time for, all detours to the protected places, and a part of the whole fault matrix
// (test/executor/faults). `npm run faults -- matrix 3/100 7` takes the matrix alone: the third hundredth of all its cells, in the order
// that seed 7 gives them. Other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

const results = 'test-results/vitest.json'
/** Written by the matrix: how many of all its cells cannot run here, by what this machine lacks. */
const notHere = 'test-results/fault-matrix.json'
const given = process.argv.slice(2)
const isMatrix = given[0] === 'matrix'
const [shard = '1/100', seed = String(Math.floor(Date.now() / 86_400_000))] = isMatrix ? given.slice(1, 3) : []
const env = {
  HEADGATE_JOB_FAULT_ROUNDS: '1000',
  HEADGATE_COMMIT_FAULT_ROUNDS: '10000',
  HEADGATE_COMMIT_FAULT_WORLDS: '8',
  HEADGATE_SWAP_ROUNDS: '400',
  HEADGATE_FAULT_ROUNDS: '200',
  HEADGATE_FAULT_MATRIX: 'whole',
  HEADGATE_FAULT_SHARD: shard,
  HEADGATE_FAULT_SEED: seed,
  ...process.env,
}
for (const file of [results, notHere]) rmSync(file, { force: true })
mkdirSync('test-results', { recursive: true })
/** Ways around the protected places. */
const detours = [
  'test/executor/engine/protected',
  'test/executor/engine/swapped-folders',
  'test/executor/process/protected',
]
const tests = isMatrix
  ? ['test/executor/faults', ...given.slice(3)]
  : ['test/faults', 'test/executor/faults', ...detours, ...given]
const { status } = spawnSync('vitest', ['run', ...tests], {
  stdio: 'inherit',
  env,
  shell: process.platform === 'win32',
})
if (existsSync(results)) tellMatrix()
process.exit(status ?? 1)

interface Report {
  testResults: {
    name: string
    assertionResults: { title: string; status: string; failureMessages: string[] }[]
  }[]
}

/** How many cells held what they must, and each that did not. */
function tellMatrix(): void {
  // Written by vitest's own json reporter.
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as Report
  const cells = testResults
    .filter(({ name }) => name.includes('/executor/faults/'))
    .flatMap(({ assertionResults }) => assertionResults)
  const violations = cells.filter((cell) => cell.status === 'failed')
  const held = cells.filter((cell) => cell.status === 'passed').length
  for (const { title, failureMessages } of violations) {
    const [why = ''] = (failureMessages[0] ?? '').split('\n')
    console.log(`violation: ${title}: ${why}`)
  }
  console.log(
    `Fault matrix, shard ${env.HEADGATE_FAULT_SHARD}, seed ${env.HEADGATE_FAULT_SEED}: ${cells.length} cells, ${held} failed correctly, ${violations.length} violations`,
  )
  if (!existsSync(notHere)) return
  const lacking = JSON.parse(readFileSync(notHere, 'utf8')) as Record<string, number> // as the matrix writes it
  for (const [what, count] of Object.entries(lacking))
    console.log(`Of all cells ${count} cannot run here: they need ${what}`)
}
