import { expect, it } from 'vitest'
import type { Plot } from '../../../src/renderer/ui/chart/plot.rules.ts'
import { statusesIn } from '../../../src/renderer/ui/chart/status-series.ts'

const plot = (names: readonly string[], chart = 'stacked') =>
  ({ chart, series: names.map((name) => ({ name })) }) as unknown as Plot // all that is looked at

it('series that are all statuses have their colors', () => {
  expect(statusesIn(plot(['success', 'failed']))).toEqual(['success', 'failed'])
})

it('a series beside them, or a name of another thing, keeps the colors of charts', () => {
  expect(statusesIn(plot(['success', 'Berlin']))).toBeNull()
  expect(statusesIn(plot(['toString']))).toBeNull()
  expect(statusesIn(plot([]))).toBeNull()
})
