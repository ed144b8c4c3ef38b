// `npm run demo`: a fresh control plane with its local executor runs real tasks on real data and says what happened.
import { DatabaseSync } from 'node:sqlite'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Run } from '../../src/contract/runs.ts'
import { signIn, startControlPlane } from './control-plane.ts'
import { createConnectors, createTasks, order, runTask } from './demo-tasks.ts'
import { showFreshness } from './freshness.ts'
import { runNightly } from './nightly.ts'
import { createPresets } from './presets.ts'
import { type Cell, printTable } from './table.ts'

const exitAtEnd = process.argv.includes('--exit')
const folder = mkdtempSync(join(tmpdir(), 'headgate-demo-'))
const dataDir = join(folder, 'data')
mkdirSync(dataDir)
// No connector reaches into the data folder.
const workspace = join(folder, 'workspace')
const exportsDir = join(workspace, 'exports')
const account = { username: 'demo', password: randomBytes(9).toString('base64url') }

/** How each must end: rows that were set aside make a run `completed`. */
const expected = (name: string) => (name === 'movies.clean' ? 'completed' : 'success')

console.log('Starting a control plane with its executor …')
const started = performance.now()
const server = await startControlPlane(dataDir, account)
console.log(`Ready at ${server.url} after ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.stop().then(() => process.exit(0)))

try {
  const api = await signIn(server.url, account)
  const slots = await createConnectors(api, workspace)
  const tasks = await createTasks(api)
  const runs: Run[] = []
  for (const name of order) {
    const task = tasks.get(name)
    if (!task) throw new Error(`resources/demo has no task ${name}`)
    runs.push(await runTask(api, task, slots))
  }
  report(runs)
  const wrong = runs.filter((run) => run.status !== expected(run.task_name))
  const again = runs.findLast((run) => run.task_name === 'countries.indicators')
  if (again?.item_count !== 0) wrong.push(...(again ? [again] : []))
  if (wrong.length > 0) {
    for (const run of wrong)
      console.error(`${run.task_name} ended ${run.status} (${run.item_count} rows changed): ${run.error_message ?? ''}`)
    process.exitCode = 1
  }
  if (!(await runNightly(api, slots))) {
    console.error('The nightly job did not go as it should: see the table')
    process.exitCode = 1
  }
  if (!(await createPresets(api, slots))) {
    console.error('A preset of the demo finds no rows: see the table')
    process.exitCode = 1
  }
  const routes = tasks.get('flights.routes')
  if (!routes || !(await showFreshness(api, slots, () => runTask(api, routes, slots)))) {
    console.error('The freshness rule did not go as it should: see the table')
    process.exitCode = 1
  }
  tellPlaces()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

if (exitAtEnd || process.exitCode) {
  await server.stop()
} else {
  console.log(
    `\nHeadgate stays open at ${server.url} — sign in as ${account.username} with ${account.password}. Ctrl-C or SIGTERM ends it.`,
  )
}

function report(runs: Run[]) {
  // JSON-encoded by the server: rows_in, rows_out, rejected, lane.
  const metrics = (run: Run) => JSON.parse(run.metrics_summary ?? '{}') as { rows_in?: number; rows_out?: number }
  printTable(
    ['task', 'status', 'rows in', 'rows out', 'changed', 'rejected', 'duration'],
    runs.map((run) => {
      const { rows_in, rows_out } = metrics(run)
      return [
        run.task_name,
        run.status,
        rows_in ?? null,
        rows_out ?? null,
        run.item_count,
        run.reject_count,
        `${run.duration_ms} ms`,
      ]
    }),
  )
  const warehouse = new DatabaseSync(join(workspace, 'warehouse.db'), { readOnly: true })
  const rows = warehouse
    .prepare(
      'SELECT route, flights, mean_delay, late_percent, distance FROM flight_routes ORDER BY flights DESC LIMIT 5',
    )
    .all()
  warehouse.close()
  console.log('\nThe busiest routes, from flight_routes:')
  printTable(
    Object.keys(rows[0] ?? {}),
    // The columns selected are texts and numbers.
    rows.map((row) => Object.values(row) as Cell[]),
  )
}

function tellPlaces() {
  console.log(`
Tables   ${join(workspace, 'warehouse.db')}
Files    ${readdirSync(exportsDir)
    .map((f) => join(exportsDir, f))
    .join('\n         ')}
Store    ${join(dataDir, 'headgate.db')} (tasks, runs and their logs)
Log      ${join(dataDir, 'server.log')}`)
}
