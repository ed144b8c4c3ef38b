import { expect, test } from 'vitest'
import type { AiUsageRow } from '../../../src/contract/ai-usage.ts'
import { daysOf, seriesOf } from '../../../src/renderer/features/ai-usage/usage-chart.rules.ts'

const row = (day: string, model: string, tokens: number): AiUsageRow => ({
  day,
  host: 'h',
  model,
  user_id: null,
  username: null,
  calls: 1,
  failed_calls: 0,
  estimated_calls: 0,
  input_tokens: tokens,
  output_tokens: 1,
  cost: null,
  unpriced_tokens: 0,
})

test('a report has each of its days, also over the end of summer time', () => {
  expect(daysOf({ from: '2026-10-24', to: '2026-10-26' })).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
})

test('models have their tokens by day, most first; days without calls are zero', () => {
  const groups = [row('2026-03-01', 'a', 1), row('2026-03-03', 'b', 9), row('2026-03-03', 'a', 3)]
  expect(seriesOf({ from: '2026-03-01', to: '2026-03-03', groups }).series).toEqual([
    { model: 'b', values: [0, 0, 10] },
    { model: 'a', values: [2, 0, 4] },
  ])
})

test('many models share one color beyond the largest three', () => {
  const groups = ['a', 'b', 'c', 'd', 'e'].map((model, at) => row('2026-03-01', model, 100 - at))
  expect(seriesOf({ from: '2026-03-01', to: '2026-03-01', groups }).series).toEqual([
    { model: 'a', values: [101] },
    { model: 'b', values: [100] },
    { model: 'c', values: [99] },
    { model: null, values: [98 + 97] },
  ])
})
