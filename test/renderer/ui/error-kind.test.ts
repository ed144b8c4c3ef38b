import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/contract/errors.ts'
import { errorKindOf, isFault, wayOnOf } from '../../../src/renderer/ui/error-kind.rules.ts'

describe('what kind of failure somebody has before him', () => {
  test.each([
    ['NETWORK', 0, 'offline'],
    ['AUTH_ERROR', 401, 'signedOut'],
    ['FORBIDDEN', 403, 'forbidden'],
    ['NOT_FOUND', 404, 'notFound'],
    ['CONFLICT', 409, 'changed'],
    ['PAYLOAD_TOO_LARGE', 413, 'tooLarge'],
    ['RATE_LIMITED', 429, 'tooMany'],
    ['INTERNAL_ERROR', 500, 'serverFault'],
    ['UNAVAILABLE', 503, 'unavailable'],
    ['TIMEOUT', 504, 'unavailable'],
    // The far system's own words say more than any of ours.
    ['CONNECTOR_ERROR', 502, 'other'],
    ['VALIDATION_ERROR', 400, 'other'],
    ['INVALID_STATE', 400, 'other'],
  ] as const)('%s', (code, status, kind) => {
    expect(errorKindOf({ code, status })).toBe(kind)
  })

  test.each([
    [403, 'forbidden'],
    [413, 'tooLarge'],
    [429, 'tooMany'],
    [503, 'unavailable'],
    [502, 'serverFault'],
    [200, 'serverFault'],
  ] as const)('an answer %d that is not ours is known by its status', (status, kind) => {
    expect(errorKindOf({ code: 'BAD_ANSWER', status })).toBe(kind)
  })

  test('a record that is not there or not for everybody is no fault', () => {
    expect((['notFound', 'forbidden', 'signedOut'] as const).map(isFault)).toEqual([false, false, false])
    expect((['serverFault', 'offline', 'other'] as const).map(isFault)).toEqual([true, true, true])
  })

  test('every code of the interface has a kind and a way on', () => {
    for (const [code, { status }] of Object.entries(errorCodes)) {
      expect(['retry', 'reload', 'back', 'home']).toContain(wayOnOf(errorKindOf({ code, status })))
    }
    expect(wayOnOf('changed')).toBe('reload')
    expect(wayOnOf('notFound')).toBe('back')
    expect(wayOnOf('forbidden')).toBe('home')
  })
})
