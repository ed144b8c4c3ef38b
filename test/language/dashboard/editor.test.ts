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

test('help says what a key, a word, and a name mean, and never throws', () => {
  const at = (words: string, more = 0) => hoverDashboard(full, full.indexOf(words) + more, world)?.markdown
  expect(at('max_rows')).toContain('Most rows')
  expect(at('type: kpi', 7)).toContain('One number')
  expect(at('connector: dw', 12)).toContain('postgres')
  expect(at('filters.from', 9)).toContain('filters.from')
  for (let offset = 0; offset <= full.length; offset += 7) {
    hoverDashboard(full, offset, world)
    completeDashboard(full.slice(0, offset), offset, world)
  }
})
