import { describe, expect, test } from 'vitest'
import {
  fitting,
  fittingColumns,
  leastWidth,
  neededOf,
  tracksOf,
  fittedColumns,
  widest,
} from '../../../src/renderer/ui/column-sizes.rules.ts'

const columns = [{ id: 'name' }, { id: 'text', minWidth: 180 }, { id: 'status', width: 90 }]

describe('widths of columns', () => {
  test('flexible ones share what is left, the others are as wide as they say', () => {
    expect(tracksOf(columns, {})).toBe('minmax(120px, 1fr) minmax(180px, 1fr) 90px')
    expect(tracksOf([...columns, { id: 'error', grow: 3 }], {})).toMatch(/ minmax\(120px, 3fr\)$/)
  })

  test('what somebody chose goes before', () => {
    expect(tracksOf(columns, { name: 300, status: 50 })).toBe('300px minmax(180px, 1fr) 50px')
  })

  test('a table is at least as wide as all of its columns, however many of them are flexible', () => {
    expect(leastWidth(columns, {})).toBe(120 + 180 + 90)
    expect(leastWidth(columns, { name: 300 })).toBe(300 + 180 + 90)
  })

  test('in a narrow table those are left out that yield, the highest first, and no others', () => {
    const yielding = [...columns, { id: 'rows', width: 80, yields: 1 }, { id: 'trigger', width: 80, yields: 2 }]
    const shown = (room: number) => fittingColumns(yielding, {}, room).map(({ id }) => id)
    expect(shown(550)).toEqual(['name', 'text', 'status', 'rows', 'trigger'])
    expect(shown(549)).toEqual(['name', 'text', 'status', 'rows'])
    expect(shown(400)).toEqual(['name', 'text', 'status'])
    expect(shown(100)).toEqual(['name', 'text', 'status'])
    expect(shown(0)).toHaveLength(5)
  })

  test.each([
    [{ id: 'a' }, 10, 48],
    [{ id: 'a', minWidth: 100 }, 99, 100],
    [{ id: 'a' }, 200.4, 200],
    [{ id: 'a' }, 99_999, widest],
  ])('%j asked for %d becomes %d wide', (column, asked, width) => {
    expect(fitting(column, asked)).toBe(width)
  })
})

describe('columns that are never cut', () => {
  const uncut = [
    { id: 'status', width: 100, uncut: true as const },
    { id: 'last', minWidth: 120, uncut: true as const },
    { id: 'error' },
  ]
  const widths = (needs: Record<string, number>) =>
    fittedColumns(uncut, new Map(Object.entries(needs))).map(({ width }) => width)

  test('are as wide as their rows need, before others share what is left', () => {
    expect(widths({ status: 177, last: 210, error: 900 })).toEqual([177, 210, undefined])
  })

  test('are never narrower than they say, and as they say until their rows are known', () => {
    expect(widths({ status: 80, last: 90 })).toEqual([100, 120, undefined])
    expect(widths({})).toEqual([100, undefined, undefined])
  })

  test('get what those that don’t grow leave, so that a table isn’t scrolled for it', () => {
    const list = [{ id: 'name', minWidth: 100 }, { id: 'bars', minWidth: 156, grow: 0 }, ...uncut.slice(0, 1)]
    const needs = new Map(Object.entries({ name: 300, bars: 40, status: 190 }))
    expect(leastWidth(fittedColumns(list, needs), {})).toBe(100 + 40 + 190)
    expect(leastWidth(fittedColumns(list, new Map([['bars', 500]])), {})).toBe(100 + 156 + 100)
  })
})

describe('columns that share what is left', () => {
  const list = [
    { id: 'name', minWidth: 196, grow: 2 },
    { id: 'text', minWidth: 160, grow: 4 },
    { id: 'tags', minWidth: 112, grow: 0 },
    { id: 'changed', width: 100 },
  ]
  const needed = (name: number, text: number, tags: number, room: number, sizes = {}) =>
    neededOf(list, sizes, new Map(Object.entries({ name, text, tags })), room)

  test('keep their parts where none is cut', () => {
    expect(needed(150, 200, 60, 700)).toEqual({})
    expect(needed(150, 200, 400, 700)).toEqual({})
  })

  test('one that would be cut gets what it needs, if the others have it', () => {
    expect(needed(220, 200, 60, 700)).toEqual({ name: 220 })
    expect(needed(150, 292, 60, 700)).toEqual({})
  })

  test('where there is not enough for all, the others keep no more than they need, and it gets the rest', () => {
    expect(needed(150, 900, 60, 700)).toEqual({ name: 150, tags: 60 })
    expect(tracksOf(list, {}, { name: 150, tags: 60 })).toBe('150px minmax(160px, 4fr) 60px 100px')
    expect(needed(900, 900, 60, 700)).toEqual({ tags: 60 })
  })

  test('where others are cut, a column of a fixed width gives up what is missing and its rows do not need', () => {
    const all = (text: number, changed: number, sizes = {}) =>
      neededOf(list, sizes, new Map(Object.entries({ name: 150, text, tags: 60, changed })), 700)
    expect(all(900, 70)).toEqual({ name: 150, tags: 60, changed: 70 })
    expect(all(410, 70)).toEqual({ name: 150, tags: 60, changed: 80 })
    expect(all(390, 70)).toEqual({ name: 150, tags: 60 })
    expect(all(900, 130)).toEqual({ name: 150, tags: 60 })
    expect(all(900, 70, { changed: 100 })).toEqual({ name: 150, tags: 60 })
  })

  test('one alone gets what columns of a fixed width do not need', () => {
    const two = [{ id: 'step' }, { id: 'rows', width: 130 }]
    const needs = new Map(Object.entries({ step: 300, rows: 60 }))
    expect(neededOf(two, {}, needs, 400)).toEqual({ rows: 100 })
    expect(leastWidth(two, {}, { rows: 100 })).toBe(120 + 100)
    expect(neededOf(two, {}, needs, 430)).toEqual({})
  })

  test('what somebody chose stays', () => {
    expect(needed(150, 900, 60, 700, { name: 300 })).toEqual({ tags: 60 })
    expect(needed(150, 900, 60, 700, { text: 300 })).toEqual({})
  })

  test('keep their parts until it is known what they need, and in a table too narrow for them', () => {
    expect(neededOf(list, {}, new Map(), 700)).toEqual({})
    expect(needed(150, 900, 60, 0)).toEqual({})
    expect(needed(900, 900, 200, 300)).toEqual({})
  })
})
