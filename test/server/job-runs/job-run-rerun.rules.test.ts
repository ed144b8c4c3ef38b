import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodeStatuses } from '../../../src/contract/job-runs.ts'
import { type EarlierNode, planRerun } from '../../../src/server/features/job-runs/job-run-rerun.rules.ts'

const node = (key: string, above: string, status: EarlierNode['status'] = 'success', reason: string | null = null) => ({
  key,
  depends_on: [...above],
  run_if: 'all_success' as EarlierNode['run_if'],
  status,
  reason,
})
/** a → b → d, a → c → d, e alone. */
const diamond = [node('a', ''), node('b', 'a'), node('c', 'a'), node('d', 'bc'), node('e', '')]

describe('a rerun', () => {
  test('without names does everything again', () => {
    expect(planRerun(diamond, undefined)).toEqual({
      runs: ['a', 'b', 'c', 'd', 'e'],
      skipped: [],
      reused: [],
      left_out: [],
      selection: null,
    })
  })

  test('does the tasks named and all after them, and takes over the rest whatever it came to', () => {
    const nodes = diamond.map((one) => (one.key === 'e' ? { ...one, status: 'failed' as const } : one))
    expect(planRerun(nodes, ['b'])).toMatchObject({ runs: ['b', 'd'], reused: ['a', 'c', 'e'] })
    expect(planRerun(nodes, ['e', 'c'])).toMatchObject({ runs: ['c', 'd', 'e'], reused: ['a', 'b'] })
  })

  test('also does what had not ended, with all after it', () => {
    const nodes = diamond.map((one) => (one.key === 'c' ? { ...one, status: 'queued' as const } : one))
    expect(planRerun(nodes, ['e'])).toMatchObject({ runs: ['c', 'd', 'e'], reused: ['a', 'b'] })
  })

  test('also does what the stop of the job run kept from being done, with all after it', () => {
    const stopped = (one: EarlierNode) => ({ ...one, status: 'skipped' as const, reason: 'stopped' })
    const nodes = diamond.map((one) => (one.key === 'c' || one.key === 'd' ? stopped(one) : one))
    expect(planRerun(nodes, ['e'])).toMatchObject({ runs: ['c', 'd', 'e'], reused: ['a', 'b'] })
  })

  test('also does what was cancelled, with all after it', () => {
    const nodes = diamond.map((one) => (one.key === 'c' ? { ...one, status: 'cancelled' as const } : one))
    expect(planRerun(nodes, ['e'])).toMatchObject({ runs: ['c', 'd', 'e'], reused: ['a', 'b'] })
  })

  test('tells what outcomes that are kept would skip, and what comes after that', () => {
    const nodes = [...diamond, node('f', 'd'), { ...node('g', 'd'), run_if: 'all_done' as const }].map((one) =>
      one.key === 'b' ? { ...one, status: 'failed' as const } : one,
    )
    expect(planRerun(nodes, ['c'])).toMatchObject({ runs: ['c', 'g'], skipped: ['d', 'f'], reused: ['a', 'b', 'e'] })
    const onFailure = [node('a', ''), { ...node('b', 'a'), run_if: 'any_failed' as const }]
    expect(planRerun(onFailure, ['b'])).toMatchObject({ runs: [], skipped: ['b'], reused: ['a'] })
    expect(planRerun(onFailure, ['a'])).toMatchObject({ runs: ['a', 'b'], skipped: [] })
  })

  test('leaves out what was left out, unless it is named', () => {
    const nodes = diamond.map((one) => (one.key === 'c' ? node('c', 'a', 'skipped', 'not_selected') : one))
    expect(planRerun(nodes, undefined)).toEqual({
      runs: ['a', 'b', 'd', 'e'],
      skipped: [],
      reused: [],
      left_out: ['c'],
      selection: null,
    })
    expect(planRerun(nodes, ['c'])).toEqual({
      runs: ['c', 'd'],
      skipped: [],
      reused: ['a', 'b', 'e'],
      left_out: [],
      selection: ['a', 'b', 'c', 'd', 'e'],
    })
  })

  test('never takes over what lies after something that runs again', () => {
    const keys = [...'abcdefghij']
    const dag = fc.tuple(
      ...keys.map((key, index) =>
        fc.record({
          key: fc.constant(key),
          depends_on: fc.subarray(keys.slice(0, index)),
          run_if: fc.constantFrom(
            'all_success' as const,
            'none_failed' as const,
            'all_done' as const,
            'any_failed' as const,
          ),
          status: fc.constantFrom(...nodeStatuses),
          reason: fc.constantFrom(null, 'upstream', 'not_selected'),
        }),
      ),
    )
    const from = fc.option(fc.subarray(keys, { minLength: 1 }), { nil: undefined })
    fc.assert(
      fc.property(dag, from, (nodes, named) => {
        const plan = planRerun(nodes, named)
        expect([...plan.runs, ...plan.skipped, ...plan.reused, ...plan.left_out].toSorted()).toEqual(keys)
        const reused = new Set(plan.reused)
        const ended = (one: EarlierNode) =>
          !['pending', 'queued', 'running', 'paused', 'cancelled'].includes(one.status)
        for (const one of nodes.filter(({ key }) => reused.has(key))) {
          expect(ended(one)).toBe(true)
          expect(one.depends_on.filter((key) => [...plan.runs, ...plan.skipped].includes(key))).toEqual([])
        }
        const leftOut = nodes.filter(({ key }) => plan.left_out.includes(key))
        expect(leftOut.filter(({ reason }) => reason !== 'not_selected')).toEqual([])
        for (const key of named ?? []) expect([...plan.runs, ...plan.skipped]).toContain(key)
      }),
      { numRuns: 200 },
    )
  })
})
