// `npm run faults`: the fault tests with many more deaths than `npm test` has time for. Arguments go to vitest.
import { spawnSync } from 'node:child_process'

const env = { HEADGATE_JOB_FAULT_ROUNDS: '1000', HEADGATE_FAULT_ROUNDS: '200', ...process.env }
const { status } = spawnSync('vitest', ['run', 'test/faults', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env,
  shell: process.platform === 'win32',
})
process.exit(status ?? 1)
