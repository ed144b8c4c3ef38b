import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as viewport from '../../../src/renderer/ui/row-viewport.ts'

const lineHeight = 18
const viewportOf = (top: number, height: number, rows: number) => viewport.viewportOf(top, height, rows, lineHeight)
const scrollTopOf = (row: number, height: number, rows: number, share: number) =>
  viewport.scrollTopOf(row, height, rows, share, lineHeight)
const atEnd = (top: number, height: number, content: number) => viewport.atEnd(top, height, content, lineHeight)

const rowsOf = { rows: fc.integer({ min: 1, max: 50_000_000 }), height: fc.integer({ min: 50, max: 2000 }) }

describe('the window over a log', () => {
  it('draws a screen and some, however long the log is', () => {
    fc.assert(
      fc.property(rowsOf.rows, rowsOf.height, fc.double({ min: 0, max: 1, noNaN: true }), (rows, height, share) => {
        const { contentHeight } = viewportOf(0, height, rows)
        const view = viewportOf(share * contentHeight, height, rows)
        expect(view.first).toBeGreaterThanOrEqual(0)
        expect(view.first + view.count).toBeLessThanOrEqual(rows)
        expect(view.count).toBeLessThanOrEqual(Math.ceil(height / lineHeight) + 26)
        expect(view.contentHeight).toBeLessThanOrEqual(15_000_000)
      }),
    )
  })

  it('covers the window without a gap at any place', () => {
    fc.assert(
      fc.property(rowsOf.rows, rowsOf.height, fc.double({ min: 0, max: 1, noNaN: true }), (rows, height, share) => {
        const { contentHeight } = viewportOf(0, height, rows)
        const top = share * Math.max(0, contentHeight - height)
        const view = viewportOf(top, height, rows)
        expect(view.offset).toBeLessThanOrEqual(top + 0.01)
        const bottom = view.offset + view.count * lineHeight
        expect(bottom).toBeGreaterThanOrEqual(Math.min(top + height, contentHeight) - 0.01)
      }),
    )
  })

  it('reaches the first and the last line of any log', () => {
    fc.assert(
      fc.property(rowsOf.rows, rowsOf.height, (rows, height) => {
        expect(viewportOf(0, height, rows).first).toBe(0)
        const end = viewportOf(scrollTopOf(rows - 1, height, rows, 1), height, rows)
        expect(end.first + end.count).toBe(rows)
      }),
    )
  })

  it('brings a row into sight', () => {
    fc.assert(
      fc.property(rowsOf.rows, rowsOf.height, fc.double({ min: 0, max: 1, noNaN: true }), (rows, height, share) => {
        const row = Math.min(rows - 1, Math.floor(share * rows))
        const top = scrollTopOf(row, height, rows, 0.35)
        const view = viewportOf(top, height, rows)
        const place = view.offset + (row - view.first) * lineHeight
        expect(place).toBeGreaterThanOrEqual(top - lineHeight)
        expect(place).toBeLessThanOrEqual(top + height)
      }),
    )
  })

  it('knows when it stands at the end', () => {
    expect(atEnd(900, 100, 1000)).toBe(true)
    expect(atEnd(880, 100, 1000)).toBe(true)
    expect(atEnd(500, 100, 1000)).toBe(false)
  })
})
