import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactDeep, redactorFor } from '../../../src/executor/redact.ts'

function redactor(...secrets: string[]) {
  const fields = Object.fromEntries(secrets.map((secret, n) => [`secret_${n}`, secret]))
  return redactorFor([{ id: 1, name: 'db', type: 'postgres', config: {}, secrets: fields }])
}

describe('redactorFor', () => {
  test('replaces a secret wherever it stands, also in URLs and JSON', () => {
    const redact = redactor('pa"ss/wörd')
    expect(redact('is pa"ss/wörd, pa"ss/wörd')).toBe('is ***, ***')
    expect(redact(`postgres://ada:${encodeURIComponent('pa"ss/wörd')}@host`)).toBe('postgres://ada:***@host')
    expect(redact(JSON.stringify({ password: 'pa"ss/wörd' }))).toBe('{"password":"***"}')
  })

  test('replaces the whole of a secret that begins with another one', () => {
    expect(redactor('open', 'open sesame')('say open sesame, then open')).toBe('say ***, then ***')
  })

  test('replaces the lines of a secret of several, as a private key has', () => {
    const key = ['-----BEGIN KEY-----', 'MIIBVgIBADANBgkqhkiG9w0', 'short', '-----END KEY-----'].join('\n')
    expect(redactor(key)('bad line: MIIBVgIBADANBgkqhkiG9w0 (short)')).toBe('bad line: *** (short)')
  })

  test('leaves what is too short to be a secret', () => {
    expect(redactor('abc', '')('abcdef')).toBe('abcdef')
  })

  test('takes every character of a secret literally, and never lets one through', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: 'binary' }), fc.string({ unit: 'binary' }), (secret, text) => {
        fc.pre(!'***'.includes(secret) && !secret.includes('*'))
        expect(redactor(secret)(`${text}|${secret}|`)).toContain('|***|')
      }),
    )
  })

  const ascii = (text: string) =>
    text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`)
  const html = (text: string) =>
    text.replaceAll(
      /[&<>"']/g,
      (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[one]!,
    )
  test.each<[string, (secret: string) => string]>([
    ['a URL', encodeURIComponent],
    ['a form', (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
    ['a path', (secret) => encodeURI(secret).toLowerCase()],
    ['JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
    ['JSON of ASCII', (secret) => ascii(JSON.stringify(secret).slice(1, -1)).replaceAll('/', String.raw`\/`)],
    ['HTML', html],
    ['base64', (secret) => Buffer.from(secret).toString('base64')],
    ['base64 for URLs', (secret) => Buffer.from(secret).toString('base64url')],
    ['hexadecimal', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
  ])('replaces a secret as it stands in %s', (_, encode) => {
    const alphabet = fc.constantFrom(...'abc09 +/%&=?#"\'\\<>ü€\n\t~!()|-_.')
    fc.assert(
      fc.property(fc.string({ minLength: 6, unit: alphabet }), (secret) => {
        expect(redactor(secret)(`before ${encode(secret)};`)).toBe('before ***;')
      }),
    )
  })

  test('gives well-formed text', () => {
    expect(redactor()('a\ud800b').isWellFormed()).toBe(true)
  })
})

test('redactDeep replaces texts at any depth and keeps the rest', () => {
  const value = { ok: false, checks: [{ name: 'open', error: { message: 'no hunter2', n: 1, none: null } }] }
  expect(redactDeep(value, redactor('hunter2'))).toEqual({
    ok: false,
    checks: [{ name: 'open', error: { message: 'no ***', n: 1, none: null } }],
  })
})
