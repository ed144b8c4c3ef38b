import { expect, test } from 'vitest'
import { measured, slower } from './against.ts'

const figure = (name: string, unit: string, bar: string | undefined, ...values: number[]) =>
  measured(values.map((value) => [{ name, unit, value, ...(bar === undefined ? {} : { bar }) }]))

test('a figure is the median of its rounds', () => {
  expect(figure('start', 'ms', '≤ 600 ms', 400, 300, 350)).toMatchObject([{ value: 350, values: [400, 300, 350] }])
  expect(figure('start', 'ms', undefined, 400, 300)).toMatchObject([{ value: 350 }])
})

test('times that grew and rates that fell by more than the noise are named, the worst first', () => {
  const before = [
    ...figure('start', 'ms', '≤ 600 ms', 300, 310),
    ...figure('runs', 'runs/s', '≥ 500/s', 2_000, 2_060),
    ...figure('noisy', 'ms', undefined, 100, 160),
    ...figure('ratio', '×', undefined, 2, 2),
    ...figure('gone', 'ms', undefined, 1),
  ]
  const now = [
    ...figure('start', 'ms', '≤ 600 ms', 400, 410),
    ...figure('runs', 'runs/s', '≥ 500/s', 571, 580),
    ...figure('noisy', 'ms', undefined, 150, 160),
    ...figure('ratio', '×', undefined, 3, 3),
    ...figure('new', 'ms', undefined, 9),
  ]
  expect(slower(before, now).map(({ name, change }) => [name, Math.round(change)])).toEqual([
    ['runs', 72],
    ['start', 33],
  ])
  expect(slower(now, before).map(({ name }) => name)).toEqual(['ratio'])
})
