import { expect, test } from 'vitest'
import { headersIn, secretHeaders } from '../../../src/server/platform/config.headers.ts'

test('headers are pairs with percent-encoded values', () => {
  expect(headersIn('X-Key=a%3Db%2Cc, Authorization=Basic%20abc')).toEqual({
    'x-key': 'a=b,c',
    authorization: 'Basic abc',
  })
})

test.each([
  'x-key',
  '=value',
  'x key=value',
  'x-key=',
  'x-key=%',
  'x-key=a%0Ab',
  'a=b,',
  'Host=a.example',
  'content-type=x',
])('headers that no request can carry are refused: %s', (text) => expect(headersIn(text)).toBeNull())

test('what is refused is not repeated, as it may be a secret', () => {
  const { check } = secretHeaders({ env: 'X', title: '', description: '' })
  expect(check('x-api-key=secret')).toEqual({ value: 'x-api-key=secret' })
  expect(check(null)).toEqual({ value: null })
  const refused = check('the secret alone'.replaceAll(' ', '-'))
  expect(refused).toMatchObject({ reason: { code: 'not_headers' } })
  expect(JSON.stringify(refused)).not.toContain('the-secret')
})
