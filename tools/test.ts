// `npm test`: everything — unit, contract, property, real services, end-to-end in Chromium, desktop — and one closing line
// `N passed, N failed`. Arguments go to vitest alone (`npm test -- test/language`). With CI=true a skipped test is a failure.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const results = 'test-results'
interface Tally {
  passed: number
  failed: number
  skipped: string[]
  /** What failed and why, said again at the end: the first of thousands of lines are seldom kept. */
  failures: string[]
}

const filters = process.argv.slice(2)
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

function run(name: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  console.log(`\n── ${name}`)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) console.error(`${name} could not be started: ${error.message}`)
  return status ?? 1
}

function beginning(message: string): string {
  return message
    .split('\n')
    .slice(0, 25)
    .map((line) => `    ${line}`)
    .join('\n')
}

/** An unhandled error, or a run that died, fails no single test. */
function died(tally: Tally, name: string, status: number): void {
  if (status === 0 || tally.failed > 0) return
  tally.failed++
  tally.failures.push(`${name} ended with ${status} though no test failed: an error outside of tests, told above`)
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
function vitest(): Tally {
  const status = run('unit, contract, property and services (vitest)', 'vitest', ['run', ...filters])
  const tally: Tally = { passed: 0, failed: 0, skipped: [], failures: [] }
  const file = join(results, 'vitest.json')
  if (existsSync(file)) {
    // Written by vitest's own json reporter.
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
    for (const suite of report.testResults) {
      const fail = (what: string, why: string) => {
        tally.failed++
        tally.failures.push(`${suite.name}: ${what}\n${beginning(why)}`)
      }
      if (suite.status === 'failed' && suite.assertionResults.every((t) => t.status !== 'failed')) {
        fail('the file', suite.message)
      }
      for (const test of suite.assertionResults) {
        if (test.status === 'passed') tally.passed++
        else if (test.status === 'failed') fail(test.fullName, test.failureMessages.join('\n'))
        else tally.skipped.push(test.fullName)
      }
    }
  }
  died(tally, 'vitest', status)
  return tally
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    file: string
    tests: { status: string; results: { error?: { message?: string } }[] }[]
  }[]
}
function playwright(name: string, config: string): Tally {
  const report = join(results, `${name}.json`)
  const args = ['test', '--config', config, '--reporter', 'list,json']
  const headless = existsSync('/usr/bin/xvfb-run') && !process.env['DISPLAY']
  const command = headless ? 'xvfb-run' : 'playwright'
  const status = run(`${name} (playwright)`, command, headless ? ['-a', 'playwright', ...args] : args, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const tally: Tally = { passed: 0, failed: 0, skipped: [], failures: [] }
  const visit = (suite: PlaywrightSuite) => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status === 'expected') tally.passed++
        else if (test.status === 'flaky') {
          tally.passed++
          console.log(`passed only at its second try: ${name}: ${spec.title}`)
        } else if (test.status === 'skipped') tally.skipped.push(`${name}: ${spec.title}`)
        else {
          tally.failed++
          const why = test.results.map((result) => result.error?.message ?? '').join('\n')
          tally.failures.push(`${name}: ${spec.file}: ${spec.title}\n${beginning(why)}`)
        }
      }
    }
    suite.suites?.forEach(visit)
  }
  // Written by playwright's own json reporter.
  if (existsSync(report)) visit(JSON.parse(readFileSync(report, 'utf8')) as PlaywrightSuite)
  died(tally, name, status)
  return tally
}

const started = performance.now()
const tallies = [vitest()]
if (filters.length === 0) {
  tallies.push(playwright('e2e', 'test/e2e/playwright.config.ts'))
  tallies.push(playwright('desktop', 'test/desktop/playwright.config.ts'))
}

const sum = (key: 'passed' | 'failed') => tallies.reduce((n, tally) => n + tally[key], 0)
const skipped = tallies.flatMap((tally) => tally.skipped)
const strict = process.env['CI'] === 'true'
for (const name of skipped) console.log(`skipped${strict ? ' (a failure in CI)' : ''}: ${name}`)
for (const failure of tallies.flatMap((tally) => tally.failures)) console.log(`\nfailed: ${failure}`)
const failed = sum('failed') + (strict ? skipped.length : 0)
const passed = sum('passed')
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
console.log(`${passed} passed, ${failed} failed${!strict && skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
