import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/language/diagnostics.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { fixtures, jobFixtures } from '../fixtures/fixtures.ts'
import { jobCatalogue } from '../fixtures/job-catalogue.ts'
import { judge, mistakesIn } from './seed-mistakes.ts'

interface Counts {
  seeded: number
  exact: number
  /** Without findings elsewhere that the mistake alone has brought. */
  clean: number
}

const documents = [...fixtures(), ...jobFixtures()].filter(({ valid }) => valid)

function countByClass(): Record<string, Counts> {
  const counts: Record<string, Counts> = {}
  for (const { text, language } of documents) {
    const parse = (changed: string): Diagnostic[] =>
      language === 'job' ? parseJob(changed, jobCatalogue).diagnostics : parseTask(changed).diagnostics
    const before = parse(text)
    for (const mistake of mistakesIn(text, language)) {
      const { exact, followUps } = judge(mistake, before, parse(mistake.text))
      const count = (counts[mistake.className] ??= { seeded: 0, exact: 0, clean: 0 })
      count.seeded++
      if (exact) count.exact++
      if (followUps.length === 0) count.clean++
    }
  }
  return counts
}

/** Shares that may not fall. Everything else is told at the exact place, and nothing besides. */
const known: Record<string, { exact?: number; clean?: number }> = {
  // In SQL of a dialect that the seeding does not know.
  'a bind that is not there': { exact: 13 / 14 },
  // Of a slot that could not be read the dialect of its SQL is not known.
  'a slot that is not there': { clean: 81 / 82 },
  'typo in a value': { clean: 253 / 255 },
  'wrong type': { clean: 657 / 667 },
  // Names of slots and `params` are free, so that only their users miss them.
  'colon is missing': { exact: 481 / 482, clean: 468 / 482 },
  // `columns` of a `cast` or `derive` may be left out, so that what is mistyped is a column.
  'typo in a key': { clean: 1060 / 1072 },
  // A function in a function of the same name.
  'wrong arity': { exact: 103 / 104, clean: 103 / 104 },
}

describe('every mistake that is seeded into a valid document is told where it is', () => {
  const counts = countByClass()

  it('of enough mistakes in enough classes', () => {
    expect(Object.keys(counts).length).toBeGreaterThanOrEqual(22)
    expect(Object.values(counts).reduce((sum, { seeded }) => sum + seeded, 0)).toBeGreaterThan(4_000)
  })

  it.each(Object.entries(counts))('%s', (className, { seeded, exact, clean }) => {
    const { exact: leastExact = 1, clean: leastClean = 1 } = known[className] ?? {}
    expect(exact / seeded).toBeGreaterThanOrEqual(leastExact)
    expect(clean / seeded).toBeGreaterThanOrEqual(leastClean)
  })
})
