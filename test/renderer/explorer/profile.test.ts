import { expect, test } from 'vitest'
import type { ValueType } from '../../../src/contract/query-values.ts'
import { profileOf } from '../../../src/renderer/features/explorer/profile.rules.ts'

const profile = (type: ValueType, values: readonly unknown[]) =>
  profileOf(
    values.map((value) => ['other', value]),
    1,
    { name: 'n', type, native: '' },
  )

test('numbers are told apart and ordered by every digit, however they are written', () => {
  const found = profile('bigint', ['9007199254740993', '9007199254740992', null, '9007199254740993', '-5'])
  expect(found).toMatchObject({
    rows: 5,
    nulls: 1,
    distinct: 3,
    ordered: true,
    min: { value: '-5' },
    max: { value: '9007199254740993' },
  })
  expect(found.top.map(({ value, rows }) => [value.value, rows])).toEqual([
    ['9007199254740993', 2],
    ['-5', 1],
    ['9007199254740992', 1],
  ])
  expect(profile('decimal', ['1.0', '1.00', '0.1'])).toMatchObject({ distinct: 2, min: { value: '0.1' } })
})

test('values of several types, missing ones, and documents', () => {
  expect(profile('any', [{ bigint: '2' }, { text: '2' }, undefined, { bigint: '2' }])).toMatchObject({
    rows: 4,
    nulls: 1,
    distinct: 2,
    top: [
      { value: { value: { bigint: '2' } }, rows: 2 },
      { value: { value: { text: '2' } }, rows: 1 },
    ],
  })
  expect(profile('document', [{ a: 1 }, { a: 1 }])).toMatchObject({ distinct: 1, ordered: false, min: null, max: null })
})

test('no rows, no values, and values that all differ', () => {
  expect(profile('text', [])).toMatchObject({ rows: 0, nulls: 0, distinct: 0, min: null, max: null, top: [] })
  expect(profile('text', [null, null])).toMatchObject({ rows: 2, nulls: 2, distinct: 0, min: null, top: [] })
  expect(profile('text', ['b', 'a'])).toMatchObject({ distinct: 2, min: { value: 'a' }, max: { value: 'b' }, top: [] })
})

test('the ten most frequent values are listed', () => {
  const { top, distinct } = profile(
    'integer',
    Array.from({ length: 30_000 }, (_, n) => n % 12),
  )
  expect([distinct, top.length, top[0]]).toEqual([
    12,
    10,
    { value: { type: 'integer', value: 0, cut: false }, rows: 2500 },
  ])
})
