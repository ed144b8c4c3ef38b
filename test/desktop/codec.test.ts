import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { decode, encode } from './electron-standin/codec.ts'
import { pageScript } from './electron-standin/ipc.ts'

const overJson = (value: unknown): unknown => decode(JSON.parse(JSON.stringify(encode(value))))

test.each([
  ['undefined', undefined],
  ['null', null],
  ['text', 'ü\u{1f600}'],
  ['bigint', 2n ** 70n],
  ['NaN', Number.NaN],
  ['infinity', -Infinity],
  ['date', new Date(1234)],
  ['bytes', new Uint8Array([0, 127, 255])],
  ['buffer', new Uint8Array([1, 2]).buffer],
  ['map of sets', new Map([['a', new Set([1, undefined])]])],
  ['nested', { list: [1, [2n]], none: undefined }],
  ['an object that looks like a tag', { $t: 'date', v: 1, more: { $t: 'bigint', v: 'x' } }],
])('keeps %s', (_name, value) => {
  expect(overJson(value)).toEqual(value)
})

test('keeps the name and the words of an error', () => {
  const error = overJson(new TypeError('boom')) as Error
  expect(error).toBeInstanceOf(Error)
  expect([error.name, error.message]).toEqual(['TypeError', 'boom'])
})

test('takes the seen part of a view', () => {
  expect(overJson(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toEqual(new Uint8Array([2, 3]))
})

test('refuses functions and symbols as a structured clone does', () => {
  expect(() => encode({ call: () => {} })).toThrow('could not be cloned')
  expect(() => encode(Symbol('s'))).toThrow('could not be cloned')
})

test('the script for pages is plain JavaScript, whatever the preload holds', () => {
  // Compiles it, without running it.
  expect(() => new Script(pageScript(undefined, ['--x=$& $1 `${y}`']))).not.toThrow()
})
