import { expect, test } from 'vitest'
import { completeDashboard } from '../../../src/language/complete-dashboard.ts'
import { hoverDashboard } from '../../../src/language/hover-dashboard.ts'
import { dashboardCatalogue } from '../fixtures/dashboard-catalogue.ts'
import { dashboardFixtures } from '../fixtures/fixtures.ts'

const world = { catalogue: dashboardCatalogue }
const full = dashboardFixtures().find(({ name }) => name === 'every-part')!.text
const labels = (text: string) => completeDashboard(text, text.length, world).map(({ label }) => label)
const head = 'etl: 1\nkind: dashboard\nname: a\njob_template: nightly\n'

test('keys of the type that is written are offered, and names of what there is', () => {
  expect(labels('etl: 1\nkind: dashboard\njob_template: ')).toEqual(expect.arrayContaining(['nightly', 'weekly']))
  expect(labels(`${head}data:\n  a:\n    connector: `)).toEqual(['dw', 'app'])
  expect(labels(`${head}data:\n  a: {runs: {}}\nwidgets:\n  - id: x\n    type: kpi\n    data: `)).toEqual(['a'])
  const kpi = labels(`${head}widgets:\n  - id: x\n    type: kpi\n    `)
  expect(kpi).toEqual(expect.arrayContaining(['compare', 'sparkline', 'at']))
  expect(kpi).not.toContain('chart')
  expect(
    labels(`${head}filters: {from: {type: date}}\ndata:\n  a:\n    query: SELECT :f\n    params: {f: "\${{ filters.`),
  ).toContain('from')
})

test('a default is offered what its field can hold, with the labels of its options', () => {
  const field = (keys: string) => `${head}widgets:\n  - {id: x, type: form, fields: [{key: a, param: day, ${keys}`
  expect(labels(field('widget: select, def'))).toEqual(['default'])
  expect(labels(field('widget: switch, default: '))).toEqual(['true', 'false'])
  expect(labels(field('widget: number, default: '))).toEqual([])
  const options = field('widget: select, options: [eu, {value: "2", label: Two}], default: ')
  expect(completeDashboard(options, options.length, world)).toMatchObject([
    { label: 'eu', insert: 'eu' },
    { label: '2', insert: '"2"', detail: 'Two' },
  ])
  expect(labels(field('widget: multiselect, options: [eu, us], default: [eu, u'))).toEqual(['us'])
  expect(labels(field('default: '))).toEqual([])
})

test('help says what a key, a word, and a name mean, and never throws', () => {
  const at = (words: string, more = 0) => hoverDashboard(full, full.indexOf(words) + more, world)?.markdown
  expect(at('max_rows')).toContain('Most rows')
  expect(at('type: kpi', 7)).toContain('One number')
  expect(at('connector: dw', 12)).toContain('postgres')
  expect(at("default: '2026-01-31'")).toContain('The value at the start')
  expect(at('filters.from', 9)).toContain('filters.from')
  for (let offset = 0; offset <= full.length; offset += 7) {
    hoverDashboard(full, offset, world)
    completeDashboard(full.slice(0, offset), offset, world)
  }
})
