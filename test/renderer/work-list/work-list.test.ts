import { describe, expect, it } from 'vitest'
import { toggledKey, withRange } from '../../../src/renderer/ui/table-selection.rules.ts'
import {
  idsOf,
  joinValues,
  known,
  splitValues,
  toggled,
  viewAddress,
} from '../../../src/renderer/ui/work-list/list-address.rules.ts'
import { tagCounts } from '../../../src/renderer/ui/work-list/tags.rules.ts'
import { everySoOften, performAll } from '../../../src/renderer/ui/work-list/perform.rules.ts'
import {
  daysSpan,
  dayInput,
  momentInput,
  readDay,
  monthDays,
  pickDay,
  presetSpan,
  readMoment,
  spanOf,
  spanQuery,
} from '../../../src/renderer/ui/work-list/span.rules.ts'

describe('filters in the address', () => {
  it('keep values with commas and percent signs apart', () => {
    for (const values of [
      ['a', 'b'],
      ['a,b', 'c'],
      ['50%', '%2C', ','],
    ])
      expect(splitValues(joinValues(values))).toEqual(values)
    expect(joinValues([])).toBeNull()
    expect(splitValues(null)).toEqual([])
    expect(splitValues(',,a,a')).toEqual(['a'])
  })
  it('leave out what makes no sense rather than refuse it', () => {
    expect(known(['failed', 'gone'], ['success', 'failed'])).toEqual(['failed'])
    expect(known(['gone'], ['success', 'failed'])).toBeUndefined()
    expect(idsOf(['7', '-1', '0', 'x', '8'])).toEqual([7, 8])
    expect(idsOf(['x'])).toBeUndefined()
  })
  it('take at most as many values as the interface', () => {
    const many = Array.from({ length: 30 }, (_, n) => String(n))
    expect(splitValues(many.join(','))).toHaveLength(20)
    expect(toggled(many.slice(0, 20), '99')).toHaveLength(20)
    expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
  })
})

describe('spans of time', () => {
  const now = new Date(2026, 2, 4, 10, 20, 45, 123)
  it('become a moment of a whole minute', () => {
    const from = new Date(2026, 2, 3, 10, 20).toISOString()
    expect(spanQuery({ last: 24 }, now.getTime())).toEqual({ from })
    expect(spanQuery({ from, to: from }, now.getTime())).toEqual({ from, to: from })
    expect(spanOf(new URLSearchParams('last=0&from=never&to=2026-03-01T00:00:00Z'))).toEqual({
      to: '2026-03-01T00:00:00.000Z',
    })
  })
  it('of whole days begin and end at midnight', () => {
    expect(presetSpan('yesterday', now)).toEqual({
      from: new Date(2026, 2, 3).toISOString(),
      to: new Date(2026, 2, 4).toISOString(),
    })
    expect(presetSpan('week', now)).toEqual({ from: new Date(2026, 2, 2).toISOString() })
    expect(presetSpan('month', now)).toEqual({ from: new Date(2026, 2, 1).toISOString() })
    expect(daysSpan([new Date(2026, 2, 3)])).toEqual(presetSpan('yesterday', now))
  })
  it('are picked day by day, whichever comes first', () => {
    const [early, late] = [new Date(2026, 2, 1), new Date(2026, 2, 9)]
    expect(pickDay([late], early)).toEqual([early, late])
    expect(pickDay([early, late], late)).toEqual([late])
  })
  it('are shown in weeks from Monday that hold the month', () => {
    const days = monthDays(now)
    expect(days).toHaveLength(42)
    expect(days[0]).toEqual(new Date(2026, 1, 23))
    expect(days.filter((day) => day.getMonth() === 2)).toHaveLength(31)
  })
  it('are read as they are written, and refused where there is no such moment', () => {
    const at = new Date(2026, 0, 31, 8, 5).toISOString()
    expect(readMoment(momentInput(at))).toBe(at)
    expect(readMoment('2026-1-31 8:05')).toBe(at)
    expect(readMoment(' ')).toBeUndefined()
    for (const wrong of ['2026-02-30', '2026-01-01 24:00', '2026-01-01 10:60', 'soon', '31.01.2026'])
      expect(readMoment(wrong)).toBeNull()
  })
  it('name a day by itself the same way', () => {
    expect(readDay('2026-3-9')).toEqual(new Date(2026, 2, 9))
    expect(dayInput(new Date(2026, 2, 9))).toBe('2026-03-09')
    for (const wrong of ['', '2026-02-30', '31.01.2026', '2026-01-01 08:00']) expect(readDay(wrong)).toBeNull()
  })
})

describe('what is done to several records', () => {
  const rows = [1, 2, 3, 4, 5, 6, 7]
  it('tells of each how it went, in their order, and what takes it back', async () => {
    const undone: number[] = []
    const outcomes = await performAll(rows, async (row) => {
      await new Promise((resolve) => setTimeout(resolve, row % 2 ? 3 : 0))
      if (row === 3) throw new Error('refused')
      return row === 4 ? undefined : async () => undone.push(row)
    })
    expect(outcomes.map(({ row }) => row)).toEqual(rows)
    expect(outcomes.map(({ error }) => error?.message)).toEqual([undefined, undefined, 'refused', ...Array(4)])
    await outcomes[0]?.undo?.()
    expect(outcomes[3]?.undo).toBeUndefined()
    expect(undone).toEqual([1])
  })
  it('never has more than four under way, and begins nothing more once stopped', async () => {
    const stopping = new AbortController()
    let now = 0
    let most = 0
    const outcomes = await performAll(
      rows,
      async (row) => {
        now += 1
        most = Math.max(most, now)
        if (row === 2) stopping.abort()
        await Promise.resolve()
        now -= 1
      },
      { signal: stopping.signal },
    )
    expect(most).toBeLessThanOrEqual(4)
    expect(outcomes.map(({ row }) => row)).toEqual([1, 2])
  })
})

describe('selected rows', () => {
  it('are added by a range, whichever end comes first, and taken out one by one', () => {
    const keys = ['a', 'b', 'c', 'd']
    expect([...withRange(new Set(['d']), keys, 2, 1)]).toEqual(['d', 'b', 'c'])
    expect([...toggledKey(new Set(['a', 'b']), 'a')]).toEqual(['b'])
  })
})

it('a view keeps filters, order and columns of an address, however they were put together, but no chosen record', () => {
  const kept = viewAddress('?status=failed%2Csuccess&saved=3&record=9&reference=4&last=24', 'status,task')
  expect(kept).toBe('columns=status%2Ctask&last=24&status=failed%2Csuccess')
  expect(viewAddress(`?last=24&status=failed%2Csuccess&columns=status%2Ctask`, 'status,task')).toBe(kept)
  expect(viewAddress('', null)).toBe('')
})

describe('tags of several records', () => {
  it('are counted, by name, also those that an object has anyway', () => {
    const records = [{ tags: ['b', 'a'] }, { tags: ['a', 'constructor'] }, { tags: [] }]
    expect(tagCounts(records)).toEqual([
      { tag: 'a', count: 2 },
      { tag: 'b', count: 1 },
      { tag: 'constructor', count: 1 },
    ])
  })
})

describe('progress over many records', () => {
  it('is told at most ten times a second', () => {
    let now = 0
    const told: number[] = []
    const tell = everySoOften(
      (count) => told.push(count),
      () => now,
    )
    for (let count = 1; count <= 30; count += 1) {
      now = count * 10
      tell(count)
    }
    expect(told).toEqual([10, 20, 30])
  })
})
