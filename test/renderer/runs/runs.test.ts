import { describe, expect, it } from 'vitest'
import type { RunStep } from '../../../src/contract/runs.ts'
import { lineText, readLines } from '../../../src/renderer/features/runs/copy-lines.ts'
import { extendRange, formatLineRange, parseLineRange } from '../../../src/renderer/features/runs/line-range.ts'
import {
  briefReason,
  fieldWidth,
  fieldsOf,
  numberFieldsOf,
  reasonWidth,
} from '../../../src/renderer/features/runs/reject-fields.ts'
import { jsonObject, mappingOf, rowsIn } from '../../../src/renderer/features/runs/run-facts.ts'
import { stepBars } from '../../../src/renderer/features/runs/step-bars.ts'
import { firstLineSince, isLineOf } from '../../../src/renderer/features/runs/step-lines.ts'
import { laneOf } from '../../../src/renderer/features/runs/run-facts.ts'
import { waitingFor } from '../../../src/renderer/features/runs/waiting.ts'

const step = (fields: Partial<RunStep>): RunStep => ({
  index: 0,
  key: 'filter',
  label: 'filter',
  status: 'success',
  rows_in: null,
  rows_out: null,
  rows_rejected: null,
  bytes: null,
  started_at: null,
  duration_ms: null,
  columns: [],
  ...fields,
})
const start = Date.parse('2026-03-01T08:00:00.000Z')
const iso = (ms: number) => new Date(start + ms).toISOString()

describe('chosen lines in the address', () => {
  it('reads one line and a range, and nothing else', () => {
    expect(parseLineRange('12')).toEqual({ from: 12, to: 12 })
    expect(parseLineRange('20-12')).toEqual({ from: 12, to: 20 })
    for (const text of [null, '', '0', 'x', '1-', '-2', '1.5', '99999999999']) expect(parseLineRange(text)).toBeNull()
  })
  it('comes back as it was written', () => {
    for (const range of [extendRange(5, 5), extendRange(9, 3)]) {
      expect(parseLineRange(formatLineRange(range))).toEqual(range)
    }
  })
})

describe('bars of steps', () => {
  it('lie on one axis from the earliest step to the last', () => {
    const bars = stepBars(
      [step({ started_at: iso(0), duration_ms: 250 }), step({ started_at: iso(250), duration_ms: 750 })],
      0,
    )
    expect(bars).toEqual([
      { start: 0, width: 0.25 },
      { start: 0.25, width: 0.75 },
    ])
  })
  it('grow to now while a step runs, and are missing before it begins', () => {
    const steps = [
      step({ started_at: iso(0), duration_ms: 100 }),
      step({ status: 'running', started_at: iso(100) }),
      step({ status: 'pending' }),
    ]
    expect(stepBars(steps, start + 400)[1]).toEqual({ start: 0.25, width: 0.75 })
    expect(stepBars(steps, start + 400)[2]).toBeNull()
  })
  it('stand behind one another where steps do not say when they began', () => {
    const bars = stepBars([step({ duration_ms: 100 }), step({ duration_ms: 300 })], 0)
    expect(bars[1]).toEqual({ start: 0.25, width: 0.75 })
  })
  it('never leave the axis, not even for a step of no duration at its end', () => {
    const [, last] = stepBars(
      [step({ started_at: iso(0), duration_ms: 1000 }), step({ started_at: iso(1000), duration_ms: 0 })],
      0,
    )
    expect((last?.start ?? 2) + (last?.width ?? 2)).toBeLessThanOrEqual(1)
    expect(last?.width).toBeGreaterThan(0)
  })
})

describe('why a queued run waits', () => {
  const pending = { status: 'pending' as const, next_attempt_at: null }
  const online = { status: 'online' as const, answering: true, slots: 2, busy: 1 }
  it('names the reason', () => {
    expect(waitingFor(pending, [], start)).toEqual({ reason: 'none' })
    expect(waitingFor(pending, [{ ...online, status: 'draining' }], start)).toEqual({ reason: 'draining' })
    expect(waitingFor(pending, [{ ...online, busy: 2 }], start)).toEqual({ reason: 'busy', slots: 2 })
    expect(waitingFor(pending, [online], start)).toEqual({ reason: 'soon' })
    expect(waitingFor(pending, [{ ...online, answering: false }], start)).toEqual({ reason: 'none' })
    expect(waitingFor({ ...pending, next_attempt_at: iso(1000) }, [online], start)).toEqual({
      reason: 'backoff',
      at: iso(1000),
    })
  })
  it('is nothing once the run has begun', () => {
    expect(waitingFor({ ...pending, status: 'running' }, [], start)).toBeNull()
  })
})

describe('a step in the log', () => {
  it('is named by its key, its label or its place', () => {
    const second = step({ index: 2, key: 'filter', label: 'filter: wet' })
    for (const name of ['filter', 'filter: wet', 'steps[1].filter']) expect(isLineOf({ step: name }, second)).toBe(true)
    expect(isLineOf({ step: null }, second)).toBe(false)
    expect(isLineOf({ step: 'cast' }, second)).toBe(false)
  })
  it('is found by its time in some twenty reads of a million lines', async () => {
    let reads = 0
    const readLine = async (line: number) => {
      reads += 1
      return { at: iso(line * 2) }
    }
    expect(await firstLineSince(start + 1_234_567, 1_000_000, readLine)).toBe(617_284)
    expect(reads).toBeLessThanOrEqual(21)
    expect(await firstLineSince(start + 10_000_000, 1000, readLine)).toBeNull()
  })
})

it('the lane is told once it is chosen', () => {
  expect(laneOf({ metrics_summary: '{"rows_in": 1, "lane": "columnar"}' })).toBe('columnar')
  expect(laneOf({ metrics_summary: '{"rows_in": 1}' })).toBeNull()
  expect(laneOf({ metrics_summary: '{"lane": "script"}' })).toBeNull()
  expect(laneOf({ metrics_summary: null })).toBeNull()
})

it('copied lines read like the downloaded log', async () => {
  const line = (number: number) => ({
    line: number,
    at: iso(number),
    level: 'warn' as const,
    attempt: 1,
    step: 'cast',
    message: `\u001b[31mm${number}\u001b[0m`,
  })
  expect(lineText(line(1))).toBe('2026-03-01T08:00:00.001Z WARN  [cast] m1')
  const asked: unknown[] = []
  const text = await readLines(
    { from: 10, to: 12 },
    async (query) => {
      asked.push(query)
      return { lines: [10, 11, 12, 13].map(line), next_after: 13, total_lines: 90, finished: true }
    },
    new AbortController().signal,
  )
  expect(asked).toEqual([{ after: 9, limit: 3 }])
  expect(text.trim().split('\n')).toHaveLength(3)
})

it('columns of rejected rows are those of all rows, in order of appearance', () => {
  expect(fieldsOf([{ row: { a: 1, b: 2 } }, { row: { b: 1, c: 2 } }])).toEqual(['a', 'b', 'c'])
  const wide = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`c${index}`, index]))
  expect(fieldsOf([{ row: wide }])).toHaveLength(60)
})

it('a field of rejected rows holds numbers when most of its values are such, codes with leading zeros are none', () => {
  const rows = [
    { amount: 12, text: '7.5', code: '0012', note: null },
    { amount: 'much', text: '-3', code: '0013', note: null },
    { amount: 9, text: '', code: '0014', note: 'x' },
  ]
  expect(numberFieldsOf(rows.map((row) => ({ row })))).toEqual(['amount', 'text'])
})

it('a field of rejected rows is as wide as its name and its values, within limits', () => {
  const rows = [{ id: 7, title: 'Singing in the Rain', text: 'x'.repeat(900) }].map((row) => ({ row }))
  expect(['id', 'title', 'text', 'worldwide_gross'].map((name) => fieldWidth(rows, name))).toEqual([96, 176, 260, 144])
})

it('a rejected row names the rule that it broke where it shows the value, and says all of it elsewhere', () => {
  const reason = 'old enough: expected age >= 18, got age = 7'
  const params = { name: 'old enough', check: 'age >= 18', values: 'age = 7' }
  const reject = { reason, code: null, params }
  expect(briefReason({ ...reject, row: { name: 'Ada', age: 7 } })).toBe('old enough')
  expect(briefReason({ ...reject, row: { name: 'Ada' } })).toBe(reason)
  expect(
    briefReason({ reason: 'column `age` is NULL', code: null, params: { column: 'age' }, row: { age: null } }),
  ).toBe('column `age` is NULL')
})

it('reasons have the room in which the longest of them can be read in two lines, within limits', () => {
  expect([reasonWidth([]), reasonWidth(['x'.repeat(80), 'y']), reasonWidth(['x'.repeat(900)])]).toEqual([200, 340, 380])
})

it('broken or foreign JSON of a run counts as none', () => {
  expect(jsonObject('{"a": 1}')).toEqual({ a: 1 })
  for (const text of [null, '', '{', '[1]', '7', 'null']) expect(jsonObject(text)).toBeNull()
  expect(rowsIn({ metrics_summary: '{"rows_in": 12}' })).toBe(12)
  expect(rowsIn({ metrics_summary: '{"rows_in": "12"}' })).toBeNull()
  expect(mappingOf({ connector_mapping: '{"db": 2, "x": "y"}' })).toEqual([['db', 2]])
})
