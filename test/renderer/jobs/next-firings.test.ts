import { expect, test } from 'vitest'
import { comingOf, spanOf } from '../../../src/renderer/features/jobs/next-firings.rules.ts'

const now = Date.parse('2026-03-01T08:30:40.500Z')
const firing = (at: string, outcome: 'started' | null = null) => ({ at, outcome })

test('next firings are those to come, the next first; one that is due just now stays', () => {
  const coming = comingOf(
    [
      firing('2026-03-01T09:00:00.000Z'),
      firing('2026-03-01T08:30:00.000Z', 'started'),
      firing('2026-03-01T08:30:38.000Z'),
      firing('2026-03-01T08:00:00.000Z'),
      firing('2026-03-01T08:31:00.000Z'),
    ],
    now,
  )
  expect(coming.map(({ at }) => at.slice(11, 19))).toEqual(['08:30:38', '08:31:00', '09:00:00'])
})

test('they are asked for once a minute, as far ahead as a yearly schedule and no further than the server answers', () => {
  const { from, to } = spanOf(now)
  expect(from).toBe('2026-03-01T08:30:00.000Z')
  expect(spanOf(now + 19_000)).toEqual({ from, to })
  expect(Date.parse(to) - Date.parse(from)).toBe(366 * 86_400_000)
})
