import { describe, expect, test } from 'vitest'
import { fitting, fittingColumns, leastWidth, tracksOf, widest } from '../../../src/renderer/ui/column-sizes.rules.ts'

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
