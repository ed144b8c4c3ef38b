import { describe, expect, it } from 'vitest'
import { diagnosticCodes } from '../../../src/language/diagnostic-codes.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { dashboardCatalogue } from '../fixtures/dashboard-catalogue.ts'
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts'
import { dashboardFixtures, expectationOf, fixtures, jobFixtures, observe } from '../fixtures/fixtures.ts'
import { jobCatalogue } from '../fixtures/job-catalogue.ts'

const all = fixtures()

describe.each([true, false])('task fixtures, valid: %s', (valid) => {
  it.each(all.filter((fixture) => fixture.valid === valid).map((fixture) => [fixture.name, fixture] as const))(
    '%s is read as expected',
    (_name, fixture) => {
      const expected = expectationOf(fixture)
      expect(expected).not.toBeNull()
      expect(JSON.parse(JSON.stringify(observe(fixture)))).toEqual(expected)
    },
  )

  it.each(all.filter((fixture) => fixture.valid === valid).map((fixture) => [fixture.name, fixture] as const))(
    '%s gives a task exactly when nothing in it is an error',
    (_name, fixture) => {
      const { task, diagnostics } = parseTask(fixture.text)
      expect(task !== null).toBe(valid)
      expect(diagnostics.some((diagnostic) => diagnostic.severity === 'error')).toBe(!valid)
    },
  )
})

describe('fixtures as a whole', () => {
  const diagnostics = [
    ...all.flatMap((fixture) => parseTask(fixture.text).diagnostics),
    ...jobFixtures().flatMap((fixture) => parseJob(fixture.text, jobCatalogue).diagnostics),
    ...dashboardFixtures().flatMap((fixture) => parseDashboard(fixture.text, dashboardCatalogue).diagnostics),
  ]

  // What only an executor finds has its own test.
  const ofLanguage = Object.keys(diagnosticCodes).filter((code) => code !== 'sql_syntax')
  it.each(ofLanguage)('the code %s has a fixture', (code) => {
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code)
  })

  it('every diagnostic says what to do and where', () => {
    for (const diagnostic of diagnostics) {
      expect(diagnostic.hint).toMatch(/\S.*[.?)]$/s)
      expect(diagnostic.message).toMatch(/[.…]$/)
      expect(diagnostic.line).toBeGreaterThanOrEqual(1)
      expect(diagnostic.column).toBeGreaterThanOrEqual(1)
      const before = diagnostic.end_line * 1e6 + diagnostic.end_column - diagnostic.line * 1e6 - diagnostic.column
      expect(before).toBeGreaterThanOrEqual(0)
    }
  })

  it('there are at least sixty invalid ones', () => {
    expect(all.filter((fixture) => !fixture.valid).length).toBeGreaterThanOrEqual(60)
  })
})
