import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDate, normalizeDatetime } from '../../../src/language/task/argument-values.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { resolveArguments } from '../../../src/language/task/resolve-arguments.ts'
import type { ArgumentSpec } from '../../../src/language/task/task.types.ts'

const run = { id: 7, attempt: 1, logical_date: '2024-03-05T06:07:08.000Z' }
const one = (spec: Omit<ArgumentSpec, 'required'> & { required?: boolean }, value?: unknown): unknown => {
  const specs = { x: { required: false, ...spec } }
  const { values, problems } = resolveArguments(specs, value === undefined ? {} : { x: value }, { run })
  return problems.length > 0 ? problems.map((problem) => `${problem.path}: ${problem.message}`) : values['x']
}

describe('resolveArguments', () => {
  it('gives what is given, else the default, else null', () => {
    expect(one({ type: 'integer', default: 5 }, 7)).toBe(7)
    expect(one({ type: 'integer', default: 5 })).toBe(5)
    expect(one({ type: 'integer' })).toBeNull()
    expect(one({ type: 'integer', default: 5 }, null)).toBe(5)
  })

  it('refuses what is missing and what is not declared, with the nearest name', () => {
    expect(one({ type: 'integer', required: true })).toEqual(['x: `x` is required.'])
    expect(
      resolveArguments({ since: { type: 'date', required: false } }, { sinse: '2024-01-01' }).problems,
    ).toMatchObject([{ path: 'sinse', message: 'There is no argument `sinse`. Did you mean `since`?' }])
  })

  it.each([
    ['string', 'a', 5, 'must be text, not 5'],
    ['integer', 5, 5.5, 'must be a whole number, not 5.5'],
    ['integer', -1, 2 ** 53, 'must be a whole number, not 9007199254740992'],
    ['integer', 5, '5', 'must be a whole number, not "5"'],
    ['number', 5.5, NaN, 'must be a number, not NaN'],
    ['boolean', false, 'false', 'must be true or false, not "false"'],
    ['date', '2024-02-29', '2023-02-29', 'must be a date such as 2024-12-31, not "2023-02-29"'],
    [
      'datetime',
      '2024-01-01T00:00:00Z',
      '2024-01-01T25:00:00Z',
      'must be a date and time such as 2024-12-31T23:59:59Z, not "2024-01-01T25:00:00Z"',
    ],
    ['duration', 'PT1H', '1 hour', 'must be a duration such as 10s, 5m, or PT1H, not "1 hour"'],
    ['list', [1, 'a'], 'a', 'must be a list, not "a"'],
    ['json', { a: [1, null] }, Infinity, 'must be a JSON value, not Infinity'],
  ] as const)('%s: takes %j, refuses %j', (type, good, bad, message) => {
    expect(one({ type }, good)).toEqual(good)
    expect(one({ type }, bad)).toEqual([`x: \`x\` ${message}.`])
  })

  it('keeps constraints, bounds included', () => {
    expect(one({ type: 'integer', min: 1, max: 3 }, 1)).toBe(1)
    expect(one({ type: 'integer', min: 1, max: 3 }, 3)).toBe(3)
    expect(one({ type: 'integer', min: 1, max: 3 }, 0)).toEqual(['x: `x` is 0; it must be at least 1.'])
    expect(one({ type: 'string', max: 2 }, 'äöü')).toEqual([
      'x: `x` has 3 characters; it must be at most 2 characters.',
    ])
    expect(one({ type: 'string', enum: ['eu', 'us'] }, 'as')).toEqual(['x: `x` must be one of "eu", "us".'])
    expect(one({ type: 'string', pattern: '[a-z]+' }, 'aB')).toEqual(['x: `x` must match the pattern [a-z]+.'])
    expect(one({ type: 'date', min: '2024-01-01' }, '2023-12-31')).toEqual([
      'x: `x` is "2023-12-31"; it must be at least 2024-01-01.',
    ])
    expect(one({ type: 'duration', max: '1h' }, '61m')).toEqual(['x: `x` is "61m"; it must be at most 1h.'])
    expect(one({ type: 'list', max: 1 }, [1, 2])).toEqual(['x: `x` has 2 items; it may have at most 1.'])
    expect(one({ type: 'list', items: 'integer' }, [1, 'b'])).toEqual(['x[1]: `x[1]` must be a whole number, not "b".'])
    expect(one({ type: 'list', enum: ['a'] }, ['a', 'b'])).toEqual(['x[1]: `x[1]` must be one of "a".'])
  })

  it('evaluates a default that is an expression once there is a run, and leaves it out before', () => {
    const { arguments: specs } = parseTask(
      'args: {day: {type: date, default: "${{ run.logical_date }}"}, n: {type: integer, default: 1}}\n',
    )
    expect(resolveArguments(specs, {}, { run }).values).toEqual({ day: '2024-03-05', n: 1 })
    expect(resolveArguments(specs, {})).toEqual({ values: { n: 1 }, problems: [] })
    expect(resolveArguments(specs, { day: '2020-01-01' }).values).toEqual({ day: '2020-01-01', n: 1 })
  })

  it('says when a default that is an expression does not fit', () => {
    expect(one({ type: 'integer', default: '${{ run.logical_date }}' })).toEqual([
      'x: `x` must be a whole number, not "2024-03-05T06:07:08.000Z".',
    ])
    expect(one({ type: 'string', default: '${{ 1 + "a" }}' })).toHaveLength(1)
  })

  it('never throws and never reads a prototype, whatever is given', () => {
    const { arguments: specs } = parseTask(
      'args: {a: {type: integer}, b: {type: list, items: date}, c: {type: json}}\n',
    )
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('a', 'b', 'c', 'constructor', 'toString'),
          fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        ),
        (given) => {
          const { values, problems } = resolveArguments(specs, given)
          expect(Object.keys(values).every((key) => ['a', 'b', 'c'].includes(key))).toBe(true)
          const undeclared = ['constructor', 'toString'].filter((name) => Object.hasOwn(given, name))
          expect(problems.map((problem) => problem.path)).toEqual(expect.arrayContaining(undeclared))
        },
      ),
    )
  })
})

describe('dates and times', () => {
  it('knows the calendar', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(isDate(date.toISOString().slice(0, 10))).toBe(true)
        },
      ),
    )
    for (const wrong of [
      '2024-02-30',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
      '24-01-01',
      '2024-1-1',
      '2024-01-01 ',
    ]) {
      expect([wrong, isDate(wrong)]).toEqual([wrong, false])
    }
  })

  it.each([
    ['2024-01-01', '2024-01-01T00:00:00Z'],
    ['2024-01-01T12:34', '2024-01-01T12:34:00Z'],
    ['2024-01-01 12:34:56.123456789', '2024-01-01T12:34:56.123456789Z'],
    ['2024-01-01T00:30:00.5+02:00', '2023-12-31T22:30:00.5Z'],
    ['2024-01-01T23:30:00-0100', '2024-01-02T00:30:00Z'],
    ['2024-01-01T24:00:00Z', null],
    ['2024-01-01T00:00:00+19:00', null],
    ['now', null],
  ])('normalises %s to UTC without losing digits', (written, expected) => {
    expect(normalizeDatetime(written)).toBe(expected)
  })
})
