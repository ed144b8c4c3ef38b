import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Placement } from '../../../src/language/dashboard/dashboard.types.ts'
import { overlaps } from '../../../src/language/dashboard/layout.ts'
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts'
import { fittedTo } from '../../../src/renderer/features/dashboard-templates/dashboard-gallery.ts'
import {
  type Placed,
  dragged,
  isOnGrid,
  moved,
  placed,
  resized,
  rowsDragged,
} from '../../../src/renderer/features/dashboard-templates/placement.rules.ts'
import {
  widgetTypes,
  widgetsIn,
  withNewWidget,
  withWidgetAt,
  withoutWidget,
} from '../../../src/renderer/features/dashboard-templates/widget-text.ts'

const at = (id: string, ...place: Placement): Placed => ({ id, at: place })

describe('a widget on the grid', () => {
  test('moves by one, and passes what is in the way', () => {
    expect(moved([0, 0, 3, 2], 'right', [])).toEqual({ at: [1, 0, 3, 2] })
    expect(moved([0, 0, 3, 2], 'right', [at('b', 3, 0, 4, 2)])).toEqual({ at: [7, 0, 3, 2] })
    expect(moved([0, 0, 12, 1], 'down', [at('b', 0, 1, 6, 3)])).toEqual({ at: [0, 4, 12, 1] })
  })

  test('stays where there is no free place, and says what is in the way', () => {
    expect(moved([0, 0, 3, 2], 'left', [])).toEqual({ refused: 'edge' })
    expect(moved([0, 0, 6, 2], 'right', [at('b', 6, 0, 6, 2)])).toEqual({ refused: 'overlap', by: 'b' })
  })

  test('is resized where its neighbors leave room', () => {
    expect(resized([0, 0, 3, 2], 'right', [at('b', 4, 0, 3, 2)])).toEqual({ at: [0, 0, 4, 2] })
    expect(resized([0, 0, 4, 2], 'right', [at('b', 4, 0, 3, 2)])).toEqual({ refused: 'overlap', by: 'b' })
    expect(resized([0, 0, 1, 2], 'left', [])).toEqual({ refused: 'edge' })
    expect(resized([9, 0, 3, 2], 'right', [])).toEqual({ refused: 'edge' })
    expect(resized([0, 0, 3, 1], 'up', [])).toEqual({ refused: 'edge' })
  })

  test('is dragged no further than the grid reaches', () => {
    expect(dragged([3, 2, 4, 2], 'move', -9, -9)).toEqual([0, 0, 4, 2])
    expect(dragged([3, 2, 4, 2], 'move', 99, 1)).toEqual([8, 3, 4, 2])
    expect(dragged([3, 2, 4, 2], 'size', 99, -9)).toEqual([3, 2, 9, 1])
  })

  test('is dragged to the edge of a row that is nearest, however high the rows are', () => {
    const edges = [0, 80, 280, 360]
    const heightOf = (row: number) => (edges[row + 1] ?? (edges[row] ?? 0) + 80) - (edges[row] ?? 0)
    const dragTo = (row: number, pixels: number) => row + rowsDragged(row, pixels, heightOf)
    fc.assert(
      fc.property(fc.nat(3), fc.integer({ min: -500, max: 80 }), (row, pixels) => {
        const at = (edges[row] ?? 0) + pixels
        const distance = Math.abs((edges[dragTo(row, pixels)] ?? 440) - at)
        for (const edge of edges) expect(distance).toBeLessThanOrEqual(Math.abs(edge - at))
      }),
    )
    expect([dragTo(1, 99), dragTo(1, 101), dragTo(2, -99), dragTo(2, -101)]).toEqual([1, 2, 2, 1])
    expect([dragTo(0, -900), dragTo(3, 241)]).toEqual([0, 6])
  })

  test('is never on top of another, nor beside the grid, whatever is pressed', () => {
    const step = fc.record({
      size: fc.boolean(),
      direction: fc.constantFrom('left', 'right', 'up', 'down'),
      widget: fc.nat(2),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const board = [at('a', 0, 0, 4, 2), at('b', 4, 0, 4, 3), at('c', 0, 2, 3, 1)]
        for (const { size, direction, widget } of steps) {
          const one = board[widget]!
          const others = board.filter((other) => other !== one)
          const change = (size ? resized : moved)(one.at, direction, others)
          if ('at' in change) board[widget] = { ...one, at: change.at }
        }
        for (const one of board) {
          expect(isOnGrid(one.at)).toBe(true)
          expect(board.filter((other) => overlaps(one.at, other.at))).toEqual([one])
        }
      }),
    )
    expect(placed([0, 0, 2, 2], [at('b', 1, 1, 2, 2)])).toEqual({ refused: 'overlap', by: 'b' })
  })
})

const head = 'etl: 1\nkind: dashboard\nname: a\njob_template: b\n'

describe('the place of a widget in the text', () => {
  test('is written over, and nothing else changes', () => {
    const text = `${head}widgets:
  # what people look at first
  - {id: rows, type: run_list, at: [0,  0, 3, 2]}   # aligned by hand
  - id: "log"
    type: log
    at:
      - 3   # column
      - 0
      - 9
      - 4
    # the end
`
    expect(widgetsIn(text).map(({ id, at: place }) => [id, place])).toEqual([
      ['rows', [0, 0, 3, 2]],
      ['log', [3, 0, 9, 4]],
    ])
    expect(withWidgetAt(text, 'rows', [10, 12, 2, 1])).toBe(text.replace('[0,  0, 3, 2]', '[10,  12, 2, 1]'))
    expect(withWidgetAt(text, 'log', [0, 2, 12, 10])).toBe(
      text.replace(
        '- 3   # column\n      - 0\n      - 9\n      - 4',
        '- 0   # column\n      - 2\n      - 12\n      - 10',
      ),
    )
  })

  test('is left alone where another widget would move with it, where it is no place, and where there is no such widget', () => {
    const text = `${head}widgets:\n  - {id: a, type: log, at: &place [0, 0, 3, 2]}\n  - {id: b, type: log, at: *place}\n  - {id: c, type: log, at: [0, 0, 3]}\n`
    expect(withWidgetAt(text, 'a', [3, 0, 3, 2])).toBeNull()
    expect(withWidgetAt(text, 'b', [3, 0, 3, 2])).toBeNull()
    expect(withWidgetAt(text, 'c', [3, 0, 3, 2])).toBeNull()
    expect(withWidgetAt(text, 'd', [3, 0, 3, 2])).toBeNull()
    expect(withWidgetAt('not: [a, dashboard', 'a', [0, 0, 1, 1])).toBeNull()
  })

  test('is read back as it was written, in a text with other letters and line ends', () => {
    const place = fc.tuple(fc.nat(11), fc.nat(50), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 20 }))
    const title = fc.stringMatching(/^[\wäß€𝒳 ,#]{0,20}$/u)
    fc.assert(
      fc.property(place, title, fc.constantFrom('\n', '\r\n'), (next, name, end) => {
        const text =
          `${head}widgets:\n  - {id: a, title: ${JSON.stringify(name)}, type: log, at: [0, 0, 3, 2]}\n`.replaceAll(
            '\n',
            end,
          )
        const changed = withWidgetAt(text, 'a', next) ?? ''
        expect(widgetsIn(changed).map((one) => one.at)).toEqual([next])
        expect(changed.replace(next.join(', '), '0, 0, 3, 2')).toBe(text)
      }),
    )
  })
})

describe('widgets added and removed in the text', () => {
  const data = 'data:\n  sales: {connector: dw, query: "SELECT 1 AS n"}\n'
  const two = `${head}${data}widgets:\n  # first\n  - {id: rows, type: table, data: sales, at: [0, 0, 6, 4]}   # all\n  - id: log\n    type: log\n    at: [6, 0, 6, 2]\n\n# the end\n`

  test('stand below all others, with an id of their own, and the rest stays', () => {
    const item = '  - {id: table, type: table, data: sales, at: [0, 4, 6, 4]}\n'
    expect(withNewWidget(two, 'table')).toEqual({
      id: 'table',
      text: two.replace('    at: [6, 0, 6, 2]\n', `    at: [6, 0, 6, 2]\n${item}`),
    })
    const again = withNewWidget(withNewWidget(two, 'log')?.text ?? '', 'log')
    expect(again?.id).toBe('log_3')
    expect(widgetsIn(again?.text ?? '').map(({ id, at: place }) => [id, place[1]])).toEqual([
      ['rows', 0],
      ['log', 0],
      ['log_2', 4],
      ['log_3', 8],
    ])
  })

  test.each([
    ['', head],
    ['widgets:\n', `${head}widgets:\n`],
    ['an empty list', `${head}widgets: []  # none yet\n`],
  ])('are the first ones behind %s', (_, text) => {
    const made = withNewWidget(text, 'text')?.text ?? ''
    expect(made).toContain('  - {id: text, type: text, text: Text, at: [0, 0, 6, 2]}\n')
    expect(made.includes('# none yet')).toBe(text.includes('# none yet'))
    expect(parseDashboard(made)).toMatchObject({ diagnostics: [], dashboard: { widgets: [{ id: 'text' }] } })
  })

  test('go with their lines, and the last one leaves an empty list', () => {
    const one = withoutWidget(two, 'log') ?? ''
    expect(one).toBe(two.replace('  - id: log\n    type: log\n    at: [6, 0, 6, 2]\n', ''))
    expect(withoutWidget(one, 'rows')).toBe(`${head}${data}widgets: []\n  # first\n\n# the end\n`)
    const flow = `${head}widgets: [{id: a, type: log, at: [0, 0, 1, 1]}, {id: b, type: log, at: [1, 0, 1, 1]}]\n`
    expect([withoutWidget(flow, 'a'), withNewWidget(flow, 'log'), withoutWidget(two, 'none')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('come back as the text was, whatever its line ends', () => {
    const type = fc.constantFrom(...widgetTypes)
    fc.assert(
      fc.property(fc.array(type, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (types, end) => {
        const text = two.replaceAll('\n', end)
        const made: { text: string; id: string }[] = []
        for (const one of types) made.push(withNewWidget(made.at(-1)?.text ?? text, one)!)
        const places = widgetsIn(made.at(-1)!.text)
        expect(places).toHaveLength(types.length + 2)
        for (const one of places) expect(places.filter((other) => overlaps(one.at, other.at))).toEqual([one])
        expect(made.reduceRight((now, { id }) => withoutWidget(now, id)!, made.at(-1)!.text)).toBe(text)
      }),
    )
  })
})

describe('an example of the gallery', () => {
  const folder = 'resources/gallery/dashboards'
  const jobTemplate = {
    archived: false,
    connectors: { files: { types: ['file'] }, store: { types: ['sqlite'] } },
    parameters: { month: { type: 'string' } },
    tasks: ['load'],
  }
  const catalogue = { template: () => jobTemplate, templateNames: () => ['sales'] }

  test.each(readdirSync(folder))('%s has no findings once it is fitted to a job template', (file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    expect(parseDashboard(text).diagnostics).toEqual([])
    const fitted = fittedTo(text, 'sales', jobTemplate)
    const { dashboard, diagnostics } = parseDashboard(fitted, catalogue)
    expect(diagnostics).toEqual([])
    expect(dashboard).toMatchObject({ job_template: 'sales', name: expect.stringMatching(/^sales\.\w+$/) })
    // Only names were changed.
    expect(fitted.split('\n')).toHaveLength(text.split('\n').length)
    expect(fittedTo(text, 'on', undefined)).toContain('job_template: "on"')
  })
})
