import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numericText, roomForNumericText, writeNumericText } from '../../../src/executor/connectors/postgres/numeric.ts'

/** As PostgreSQL sends it: groups of four digits from the point on both ways, without empty ones at either end. */
function sent(text: string): DataView {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const left = whole.padStart(Math.ceil(whole.length / 4) * 4, '0')
  const right = fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0')
  const groups = `${left}${right}`.match(/\d{4}/g)!.map(Number)
  let weight = left.length / 4 - 1
  while (groups[0] === 0) {
    groups.shift()
    weight--
  }
  while (groups.at(-1) === 0) groups.pop()
  return wire(groups, groups.length === 0 ? 0 : weight, sign === '-' ? 0x4000 : 0, fraction.length)
}

function wire(groups: readonly number[], weight: number, sign: number, places: number): DataView {
  const view = new DataView(new ArrayBuffer(8 + groups.length * 2))
  view.setUint16(0, groups.length)
  view.setInt16(2, weight)
  view.setUint16(4, sign)
  view.setUint16(6, places)
  for (const [at, group] of groups.entries()) view.setUint16(8 + at * 2, group)
  return view
}

const digits = (least: number, most: number) =>
  fc
    .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })), { minLength: least, maxLength: most })
    .map((all) => all.join(''))
const numbers = fc.tuple(fc.boolean(), digits(1, 90), digits(0, 60)).map(([isNegative, whole, fraction]) => {
  const text = `${whole.replace(/^0+(?=.)/, '')}${fraction === '' ? '' : `.${fraction}`}`
  return isNegative && /[1-9]/.test(text) ? `-${text}` : text
})

test('a numeric has every digit and place that it was sent with', () => {
  fc.assert(
    fc.property(numbers, (text) => {
      expect(numericText(sent(text), 0)).toBe(text)
    }),
  )
})

test.each(['0', '0.00', '7', '10', '999', '1000', '10000', '0.0001', '0.00001000', '-100000000.5', '12345.6789'])(
  '%s',
  (text) => {
    expect(numericText(sent(text), 0)).toBe(text)
  },
)

test('what is no number has its name', () => {
  expect([0xc000, 0xd000, 0xf000].map((sign) => numericText(wire([], 0, sign, 0), 0))).toEqual([
    'NaN',
    'Infinity',
    '-Infinity',
  ])
})

test('no more is written than there is room for', () => {
  fc.assert(
    fc.property(numbers, (text) => {
      const view = sent(text)
      const room = roomForNumericText(view, 0)
      const bytes = Buffer.alloc(room + 8, '#')
      writeNumericText(view, 0, bytes, 0)
      expect(bytes.toString('latin1', room)).toBe('########')
    }),
  )
})
