import Ajv2020 from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { dashboardSchema } from '../../../src/language/dashboard/dashboard-schema.ts'
import { freePlace, overlaps } from '../../../src/language/dashboard/layout.ts'
import type { Placement } from '../../../src/language/dashboard/dashboard.types.ts'
import { resolveFilters, resolveWindow } from '../../../src/language/dashboard/filter-values.ts'
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts'
import { publicView } from '../../../src/language/dashboard/dashboard-view.ts'
import { dashboardCatalogue } from '../fixtures/dashboard-catalogue.ts'
import { dashboardFixtures, expectationOf, observe } from '../fixtures/fixtures.ts'

const all = dashboardFixtures()
const full = all.find(({ name }) => name === 'every-part')!.text

describe('fixtures of dashboard templates', () => {
  it.each(all.map((fixture) => [fixture.valid, fixture.name, fixture] as const))(
    'valid: %s, %s is read as expected, and is a template exactly when nothing in it is an error',
    (valid, _name, fixture) => {
      const expected = expectationOf(fixture)
      expect(expected).not.toBeNull()
      expect(JSON.parse(JSON.stringify(observe(fixture)))).toEqual(expected)
      const { dashboard, diagnostics } = parseDashboard(fixture.text, dashboardCatalogue)
      expect(dashboard !== null).toBe(valid)
      expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(!valid)
    },
  )

  it('says the same without a catalogue, but for what only a catalogue can know', () => {
    const world = /^(\w+_job_template|unknown_connector|slot_type|unknown_task_key|unknown_job_parameter)$/
    for (const { text } of all) {
      const known = parseDashboard(text, dashboardCatalogue).diagnostics.filter(({ code }) => !world.test(code))
      expect(parseDashboard(text).diagnostics).toEqual(known)
    }
  })

  it('agrees with the JSON Schema about what is valid', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(dashboardSchema)
    for (const { text } of all.filter(({ valid }) => valid)) {
      validate(parse(text))
      expect(validate.errors).toBeNull()
    }
  })
})

it('never throws, whatever is cut out of a template', () => {
  fc.assert(
    fc.property(fc.nat(full.length), fc.nat(60), fc.string({ maxLength: 5 }), (at, length, more) => {
      const { dashboard, diagnostics } = parseDashboard(
        full.slice(0, at) + more + full.slice(at + length),
        dashboardCatalogue,
      )
      expect(dashboard === null).toBe(diagnostics.some(({ severity }) => severity === 'error'))
    }),
    { numRuns: 300 },
  )
})

it('finds a free place on the grid for any layout', () => {
  const placement = fc
    .tuple(fc.nat(11), fc.nat(20), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5 }))
    .map(([x, y, w, h]): Placement => [Math.min(x, 12 - w), y, w, h])
  fc.assert(
    fc.property(placement, fc.array(placement, { maxLength: 10 }), (wanted, taken) => {
      const place = freePlace(wanted, taken)
      expect(taken.some((one) => overlaps(place, one))).toBe(false)
      expect(place[0] + place[2]).toBeLessThanOrEqual(12)
      expect(place.slice(2)).toEqual(wanted.slice(2))
    }),
  )
})

it('takes any value for a filter and gives one of its type, or a problem at its name', () => {
  const { filters } = parseDashboard(full).dashboard!
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(filters), 'other'), fc.jsonValue()), (given) => {
      const { values, problems } = resolveFilters(filters, given)
      for (const { path } of problems) expect(Object.keys(given)).toContain(path)
      for (const name of Object.keys(filters)) {
        expect(Object.hasOwn(values, name)).toBe(!problems.some(({ path }) => path === name))
      }
    }),
  )
})

it('keeps a time window within its template', () => {
  const { dashboard } = parseDashboard(full)
  const now = Date.parse('2026-03-01T00:00:00Z')
  expect(resolveWindow(dashboard!, undefined, now)).toEqual({
    window: { from: '2026-02-22T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z', last_ms: 604_800_000 },
  })
  expect(resolveWindow(dashboard!, { from: '2026-01-01', to: '2026-01-02' }, now)).toMatchObject({ window: {} })
  for (const wrong of [
    { last_ms: 100 * 86_400_000 },
    { from: '2026-01-02', to: '2026-01-01' },
    { from: 'x', to: 'y' },
  ]) {
    expect(resolveWindow(dashboard!, wrong, now)).toHaveProperty('problem')
  }
})

it('shows strangers widgets that only show, and nothing of where their rows come from', () => {
  const { dashboard } = parseDashboard(full)
  const { widgets, filters } = publicView(dashboard!)
  expect(widgets.map(({ type }) => type)).not.toEqual(expect.arrayContaining(['form']))
  expect(widgets.map(({ type }) => type).filter((type) => /form|mapping|button|log/.test(type))).toEqual([])
  expect(Object.keys(filters)).toEqual(['from', 'amount', 'region', 'words'])
  const told = JSON.stringify({ widgets, filters })
  for (const secret of ['dw', 'app', 'lake', 'SELECT', 'revenue', 'regions', 'orders '])
    expect(told).not.toContain(`"${secret}`)
})
