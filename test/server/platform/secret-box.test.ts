import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../../src/server/platform/secret-box.ts'

const box = createSecretBox(randomBytes(32))

test('what is sealed is opened again, in its own context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(box.open(box.seal(text, 'a'), 'a')).toBe(text)
    }),
  )
})

test('the same text is sealed differently each time and does not show', () => {
  const [one, two] = [box.seal('canary', 'a'), box.seal('canary', 'a')]
  expect(one).not.toBe(two)
  expect(Buffer.from(one, 'base64url').includes('canary')).toBe(false)
})

test('another context, another key and any changed character are refused', () => {
  const sealed = box.seal('secret', 'connector:1:password')
  expect(() => box.open(sealed, 'connector:2:password')).toThrow('unable to authenticate')
  expect(() => createSecretBox(randomBytes(32)).open(sealed, 'connector:1:password')).toThrow('unable to authenticate')
  for (let index = 3; index < sealed.length - 1; index++) {
    const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
    expect(() => box.open(changed, 'connector:1:password')).toThrow('unable to authenticate')
  }
  for (const rubbish of ['', 'v1.', 'v2.abc', 'plain'])
    expect(() => box.open(rubbish, 'a')).toThrow('Not a sealed secret')
})
