import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type {
  ChartWidget,
  DashboardFilter,
  FilterValue,
  FormField,
  FormWidget,
} from '../../../src/language/dashboard/dashboard.types.ts'
import { isAtStart, startValues } from '../../../src/language/dashboard/form-values.ts'
import {
  addressOf,
  choiceIn,
  filterPart,
  pickedAddress,
  valueOf,
  windowChoices,
} from '../../../src/renderer/features/dashboards/dashboard-choice.rules.ts'
import { markColumns, valuesAt, valuesOf } from '../../../src/renderer/features/dashboards/drill.rules.ts'
import { choicesOf, kioskIn, kioskPath } from '../../../src/renderer/features/dashboards/kiosk-address.ts'
import { filledIn } from '../../../src/renderer/features/dashboards/form-draft.ts'
import { heightsOf, kpiOf } from '../../../src/renderer/features/dashboards/kpi.rules.ts'
import { formatted, quantityOf } from '../../../src/renderer/ui/quantity.ts'
import { MarkdownText, isSafeLink } from '../../../src/renderer/features/dashboards/markdown-parts.tsx'
import { compareNumbers, searched, sorted, withColumns } from '../../../src/renderer/features/dashboards/table.rules.ts'

const base = { label: null, description: null }
const filters: Record<string, DashboardFilter> = {
  day: { ...base, type: 'date', default: '2026-01-01', min: null, max: null },
  name: { ...base, type: 'text', default: null, max_length: 100 },
  regions: { ...base, type: 'multiselect', options: null, options_source: null, default: ['eu'] },
  span: { ...base, type: 'range', of: 'number', default: { from: null, to: 5 }, min: null, max: null },
}

describe('filters in the address', () => {
  it('come back as they were chosen, whatever they hold', () => {
    const text = fc.string({ minLength: 1, unit: 'binary' }).filter((value) => value !== '~')
    const end = fc.oneof(fc.integer(), fc.constant(null))
    const values: Record<string, fc.Arbitrary<FilterValue>> = {
      day: fc.oneof(text, fc.constant(null)),
      name: fc.oneof(text, fc.constant(null)),
      regions: fc.array(fc.string({ unit: 'binary' })),
      span: fc.record({ from: end, to: end }),
    }
    for (const [name, filter] of Object.entries(filters)) {
      fc.assert(
        fc.property(values[name]!, (value) => {
          const address = new URLSearchParams()
          const part = addressOf(filter, value)
          if (part !== null) address.set(filterPart(name), part)
          const read = choiceIn(new URLSearchParams(address.toString()), filters)
          const expected = filter.type === 'range' || filter.type === 'multiselect' ? value : value || null
          expect(valueOf(name, filter, read)).toEqual(expected)
        }),
      )
    }
  })

  it('are the defaults where the address is damaged', () => {
    const address = new URLSearchParams({ 'f.regions': '{', 'f.span': '[1]', 'f.other': 'x', window: 'soon' })
    expect(choiceIn(address, filters)).toEqual({})
  })

  it('offer the lengths of time that the template allows', () => {
    const hour = 3_600_000
    expect(windowChoices({ default_ms: 2 * hour, max_ms: 6 * hour })).toEqual([hour / 4, hour, 2 * hour, 6 * hour])
  })
})

describe('the number of a KPI', () => {
  const fields = [
    { name: 'day', type: 'date' as const, native: '' },
    { name: 'n', type: 'decimal' as const, native: '' },
  ]
  const rows = [
    ['2026-01-01', '50'],
    ['2026-01-02', '75.5'],
  ]

  it('is the last row, compared with the one before', () => {
    expect(kpiOf({ value: null, compare: 'previous' }, { fields, rows })).toEqual({
      text: '75.5',
      direction: 'up',
      change: 0.51,
      before: '50',
      isAlone: false,
      line: [50, 75.5],
    })
    expect(kpiOf({ value: null, compare: 'previous' }, { fields, rows }, true)).toMatchObject({ text: '50' })
  })

  it('is told from no rows, no numbers, NULL, and a zero before', () => {
    expect(kpiOf({ value: null, compare: 'none' }, { fields, rows: [] })).toBeNull()
    // Without rows a column of any type has no numbers yet.
    expect(
      kpiOf({ value: null, compare: 'none' }, { fields: [{ name: 'n', type: 'any', native: '' }], rows: [] }),
    ).toBeNull()
    expect(kpiOf({ value: 'm', compare: 'none' }, { fields, rows })).toBeUndefined()
    expect(kpiOf({ value: null, compare: 'none' }, { fields, rows: [['2026-01-01', null]] })).toMatchObject({
      text: null,
    })
    const zero = [
      ['2026-01-01', '0'],
      ['2026-01-02', '3'],
    ]
    const compared = (rowsOf: typeof zero) => kpiOf({ value: null, compare: 'previous' }, { fields, rows: rowsOf })
    expect(compared(zero)).toMatchObject({ direction: 'up', change: null, before: '0' })
    expect(compared([zero[0]!, zero[0]!])).toMatchObject({ direction: 'same', change: null, before: '0' })
    expect(compared([zero[0]!, ['2026-01-02', '-1']])).toMatchObject({ direction: 'down', change: null })
    expect(compared(zero.slice(1))).toMatchObject({ direction: null, change: null, before: null })
  })

  it('says where it is to be compared and nothing is earlier', () => {
    const isAlone = (rowsOf: typeof rows, compare: 'previous' | 'none') =>
      kpiOf({ value: null, compare }, { fields, rows: rowsOf })?.isAlone
    expect(isAlone(rows.slice(1), 'previous')).toBe(true)
    expect(isAlone(rows, 'previous')).toBe(false)
    expect(isAlone(rows.slice(1), 'none')).toBe(false)
  })

  it('writes durations, sizes, and percentages of numbers with these units, and any other unit behind', () => {
    const shown = (text: string, unit: string | null, decimals: number | null = null) =>
      quantityOf(text, { unit, decimals })
    expect(shown('1416.8', 'ms')).toEqual({ number: '1.42 s', unit: null })
    expect(shown('0.7777', 'ratio')).toEqual({ number: '77.8%', unit: null })
    expect(shown('0.7777', 'ratio', 0)).toEqual({ number: '78%', unit: null })
    expect(shown('1500000', 'bytes')).toEqual({ number: '1.4 MiB', unit: null })
    expect(shown('9007199254740993.5', '€')).toEqual({ number: '9,007,199,254,740,993.5', unit: '€' })
    expect(shown('30.5', '%')).toEqual({ number: '30.5%', unit: null })
    expect(shown('NaN', 'ms')).toEqual({ number: 'NaN', unit: 'ms' })
  })

  it('keeps every digit, and rounds by the digits', () => {
    const shown = (text: string, decimals: number | null) => formatted(text, decimals, String, '.')
    expect(shown('9007199254740993', null)).toBe('9007199254740993')
    expect(shown('9007199254740993.125', 2)).toBe('9007199254740993.13')
    expect(shown('-0.004', 2)).toBe('0.00')
    expect(shown('-1.005', 2)).toBe('-1.01')
    expect(shown('9.99', 1)).toBe('10.0')
    expect(shown('0.5', 0)).toBe('1')
    expect(shown('NaN', 2)).toBe('NaN')
  })
})

describe('rows of a table', () => {
  const fields = [
    { name: 'n', type: 'bigint' as const, native: '' },
    { name: 'name', type: 'text' as const, native: '' },
  ]
  const table = {
    fields,
    rows: [
      ['9007199254740993', 'b'],
      [null, 'Ä'],
      ['9007199254740992', 'a'],
      ['-5', 'a b'],
    ],
  }

  it('are sorted by all digits, with NULL last in both orders', () => {
    const first = (order: 'asc' | 'desc') => sorted(table, 'n', order).rows.map(([n]) => n)
    expect(first('asc')).toEqual(['-5', '9007199254740992', '9007199254740993', null])
    expect(first('desc')).toEqual(['9007199254740993', '9007199254740992', '-5', null])
  })

  it('compare as numbers do', () => {
    const decimal = fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 0, max: 3 }))
    fc.assert(
      fc.property(decimal, decimal, ([a, da], [b, db]) => {
        const [x, y] = [(a / 10 ** da).toFixed(da), (b / 10 ** db).toFixed(db)]
        expect(Math.sign(compareNumbers(x, y))).toBe(Math.sign(Number(x) - Number(y)) + 0)
      }),
    )
  })

  it('are found by every word, and shown in the chosen columns', () => {
    expect(searched(table, 'A B').rows).toEqual([['-5', 'a b']])
    expect(withColumns(table, ['name', 'gone']).rows[0]).toEqual(['b'])
  })
})

describe('Markdown of a dashboard', () => {
  const html = (text: string) => renderToStaticMarkup(<MarkdownText text={text} />)

  it('becomes elements, below the heading of the page', () => {
    expect(html('# Title\n\nSome **bold** `code`\n\n- one\n- two')).toBe(
      '<h2>Title</h2><p>Some <strong>bold</strong> <code>code</code></p><ul><li>one</li><li>two</li></ul>',
    )
  })

  it('has no markup, no pictures, and no scripts of its text', () => {
    expect(html('<img src=x onerror=alert(1)>')).not.toContain('<img')
    expect(html('![alt](https://elsewhere.example/a.png)')).toBe('<p>alt</p>')
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'vbscript:x',
    ]) {
      expect({ address, safe: isSafeLink(address) }).toEqual({ address, safe: false })
      expect(html(`[link](${address})`)).not.toContain('href')
    }
    // The reader writes the backslash as %5C, so it stays a page of this window.
    expect(isSafeLink('/\\evil.example')).toBe(false)
    expect(html('[link](https://a.example)')).toBe(
      '<p><a href="https://a.example" target="_blank" rel="noreferrer noopener">link</a></p>',
    )
  })
})

describe('a form', () => {
  const field = (key: string, start: FormField['default']) => ({ key, default: start }) as FormField
  const fields = [field('day', '2026-01-31'), field('regions', ['eu']), field('full', true), field('note', null)]
  const widget = { type: 'form', id: 'setup', fields } as FormWidget
  const filled = (forms: Record<string, Record<string, unknown>>) =>
    filledIn({ forms, mappings: {}, labels: {} }, [widget]).forms

  it('starts with its defaults, and what was entered or emptied wins over them', () => {
    const start = { day: '2026-01-31', regions: ['eu'], full: true }
    expect(filled({})).toEqual({ setup: start })
    expect(filled({ setup: { day: null, regions: [], gone: 1 }, other: {} })).toEqual({
      setup: { ...start, day: null, regions: [] },
    })
  })

  it('is at its start whatever way its empty fields are written', () => {
    const at = (values: Record<string, unknown>) => isAtStart(fields, { ...startValues(fields), ...values })
    expect([at({}), at({ note: null }), at({ note: '' }), at({ regions: ['eu'] })]).toEqual([true, true, true, true])
    expect([at({ full: false }), at({ day: null }), at({ note: 'a' }), at({ regions: [] })]).toEqual(
      Array.from({ length: 4 }, () => false),
    )
    expect(isAtStart([field('off', null)], { off: false })).toBe(true)
  })
})

describe('a mark', () => {
  const field = (name: string, type: 'text' | 'decimal') => ({ name, type, native: '' })
  const fields = [field('region', 'text'), field('total', 'decimal')]
  const bar = { chart: 'bar', x: 'region', y: ['total'], series: null } as ChartWidget

  it('sets a filter, and gives it back to its default', () => {
    expect(pickedAddress(filters['regions']!, 'us')).toBe('["us"]')
    expect(pickedAddress(filters['regions']!, 'eu')).toBe(null)
    expect(pickedAddress(filters['regions']!, null)).toBe(null)
    expect(pickedAddress(filters['name']!, 'x')).toBe('x')
  })

  it('has the rows with its exact values behind it, by the columns that the rows have', () => {
    const chart = {
      fields,
      rows: [
        ['eu', '1.50'],
        [null, '2'],
      ],
    }
    const rows = { fields: [field('region', 'text'), field('n', 'decimal')] }
    const of = (row: number) => valuesOf(rows, valuesAt(markColumns(bar), chart, row))
    expect(of(0)).toEqual([{ column: 'region', text: 'eu' }])
    expect(of(1)).toEqual([{ column: 'region', text: null }])
    // Nothing of the mark is in them: then nothing is said of its values.
    expect(valuesOf({ fields: [field('day', 'text')] }, valuesAt(markColumns(bar), chart, 0))).toEqual([])
  })
})

describe('the line of a figure', () => {
  it('stands on its lowest value when that is below zero', () => {
    expect(heightsOf([-5, null, 10])).toEqual([0, null, 15])
    expect(heightsOf([5, 10])).toEqual([5, 10])
    expect(heightsOf([])).toEqual([])
  })
})

describe('the address of a screen', () => {
  it('names dashboards and seconds, and keeps the filters', () => {
    const path = kioskPath([3, 5], new URLSearchParams('f.region=eu&window=60000&q=other'))
    const address = new URLSearchParams(path.split('?')[1])
    expect(kioskIn(address)).toEqual({ ids: [3, 5], seconds: 30 })
    expect(choicesOf(address).toString()).toBe('f.region=eu&window=60000')
    expect(kioskIn(new URLSearchParams(kioskPath([3]).split('?')[1]))).toEqual({ ids: [3], seconds: null })
  })

  it('is read as far as it makes sense', () => {
    const read = (text: string) => kioskIn(new URLSearchParams(text))
    expect(read('')).toEqual({ ids: [], seconds: null })
    expect(read('dashboards=3,x,-1,3,0,7&seconds=soon')).toEqual({ ids: [3, 7], seconds: null })
    expect(read('dashboards=3,4&seconds=0').seconds).toBe(5)
    expect(read('dashboards=3,4&seconds=999999').seconds).toBe(86_400)
  })
})
