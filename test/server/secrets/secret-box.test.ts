import fc from 'fast-check'
import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keysText, newSecretKey, readKeys, ringOf } from '../../../src/server/platform/key-ring.ts'
import { UnreadableSecret, createSecretBox } from '../../../src/server/platform/secret-box.ts'

const [one, two] = [newSecretKey(), newSecretKey()]
const box = createSecretBox(() => [one])

/** As it was written before keys had ids. */
function sealedOnce(text: string, context: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', one.bytes, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
}

test('what is sealed is opened again, in its own context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(box.open(box.seal(text, 'a'), 'a')).toBe(text)
    }),
  )
})

test('the same text is sealed differently each time and does not show', () => {
  const [first, second] = [box.seal('canary', 'a'), box.seal('canary', 'a')]
  expect(first).not.toBe(second)
  expect(Buffer.from(first.split('.')[2]!, 'base64url').includes('canary')).toBe(false)
})

test('another context, another key and any changed character are refused', () => {
  const sealed = box.seal('secret', 'connector:1:password')
  const refused = (text: string, context = 'connector:1:password', by = box) => {
    expect(() => by.open(text, context)).toThrow(UnreadableSecret)
    expect(by.opens(text, context)).toBe(false)
  }
  refused(sealed, 'connector:2:password')
  refused(
    sealed,
    undefined,
    createSecretBox(() => [two]),
  )
  for (let index = 0; index < sealed.length - 1; index++) {
    if (sealed[index] === '.') continue
    refused(sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1))
  }
  for (const rubbish of ['', 'v1.', 'v2.abc', 'plain', 'v2..', `v1.${'A'.repeat(20)}`]) refused(rubbish)
})

test('the first key seals; the others still open, with and without the id of the key', () => {
  const both = createSecretBox(() => [two, one])
  const old = box.seal('old', 'a')
  expect(both.open(old, 'a')).toBe('old')
  expect(both.open(sealedOnce('older', 'a'), 'a')).toBe('older')
  expect([both.isCurrent(old), both.isCurrent(both.seal('new', 'a')), both.isCurrent(sealedOnce('x', 'a'))]).toEqual([
    false,
    true,
    false,
  ])
  expect(box.opens(both.seal('new', 'a'), 'a')).toBe(false)
})

test('a ring is read as it was written; the first of its keys is never on its way out', () => {
  const ring = ringOf([{ ...one, retiring: true }, { ...two, retiring: true }, one])!
  expect(ring.map(({ id, retiring }) => [id, retiring])).toEqual([
    [one.id, false],
    [two.id, true],
  ])
  expect(readKeys(keysText(ring))).toEqual(ring)
  expect(readKeys(`\r\n${one.bytes.toString('hex').toUpperCase()}\r\n`)).toEqual([one])
})

test('what is no list of keys is not taken for one', () => {
  const hex = one.bytes.toString('hex')
  for (const text of ['', '\n', 'abc', hex.slice(1), `${hex}0`, `${hex} old`, `${hex}\nrubbish`, `g${hex.slice(1)}`])
    expect(readKeys(text)).toBeUndefined()
})
