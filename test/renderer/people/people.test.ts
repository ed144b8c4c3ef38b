import { describe, expect, test } from 'vitest'
import { keyState } from '../../../src/renderer/features/api-keys/key-expiry.ts'
import { deviceOf } from '../../../src/renderer/features/profile/device.ts'
import { changesOf, draftOf } from '../../../src/renderer/features/profile/account-draft.ts'
import { inGroups, onlyDigits } from '../../../src/renderer/features/sign-in/code-text.ts'
import { generatedPassword, passwordRules } from '../../../src/renderer/features/sign-in/password-rules.ts'
import { waitText } from '../../../src/renderer/features/sign-in/use-wait.ts'
import { reasonAgainst, reasonAgainstRole, stateOf } from '../../../src/renderer/features/users/user-acts.ts'
import type { User } from '../../../src/contract/auth.ts'

const user: User = {
  id: 7,
  username: 'grace',
  display_name: 'Grace',
  email: null,
  role: 'viewer',
  disabled: false,
  totp_enabled: false,
  password_change_required: false,
  last_login_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
}

describe('passwords', () => {
  test('are counted in characters as people see them', () => {
    expect(passwordRules('🔑🔑🔑🔑', { minLength: 4, username: 'ada' })).toEqual([{ id: 'length', met: true }])
    expect(passwordRules('🔑🔑🔑', { minLength: 4, username: 'ada' })[0]?.met).toBe(false)
  })
  test('are not the username in other letters', () => {
    const rules = passwordRules(' GRACEHOPPER ', { minLength: 8, username: 'GraceHopper' })
    expect(rules).toEqual([
      { id: 'length', met: true },
      { id: 'username', met: false },
    ])
  })
  test('that are made take every sign as likely and are as long as is asked', () => {
    let byte = 0
    const bytes = (count: number) => Uint8Array.from({ length: count }, () => byte++ % 256)
    const made = generatedPassword(bytes)
    expect(made).toMatch(/^[a-hj-np-z2-9]{5}(-[a-hj-np-z2-9]{5}){3}$/)
    // Bytes that would favour the first signs are thrown away; nothing but them would never end.
    expect(generatedPassword(bytes, 128).length).toBeGreaterThanOrEqual(128)
  })
})

test('codes are taken as people paste them', () => {
  expect(onlyDigits(' 123 456 ')).toBe('123456')
  expect(onlyDigits('１２３-４５６7')).toBe('123456')
  expect(inGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ')
})

test('how long to wait is said in seconds, then in minutes', () => {
  expect([waitText(9), waitText(59), waitText(60), waitText(845)]).toEqual(['9 s', '59 s', '1:00 min', '14:05 min'])
})

test('a session is named by its browser and system', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  expect(deviceOf(chrome)).toEqual({ browser: 'Chrome', system: 'Linux' })
  expect(deviceOf(`${chrome} Edg/140.0`)).toMatchObject({ browser: 'Edge' })
  expect(deviceOf(`${chrome} Electron/40.0`)).toMatchObject({ browser: 'Headgate' })
  expect(deviceOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/605')).toEqual({
    browser: 'Safari',
    system: 'iOS',
  })
  expect(deviceOf('curl/8.5.0')).toEqual({ browser: 'curl', system: null })
  expect(deviceOf(null)).toEqual({ browser: null, system: null })
})

test('a change says only what differs, and an emptied text is null', () => {
  const draft = { ...draftOf(user), display_name: '  ', email: ' grace@example.com ' }
  expect(changesOf(draft, user)).toEqual({ display_name: null, email: 'grace@example.com' })
  expect(changesOf(draftOf(user), user)).toEqual({})
})

describe('what may be done to a user', () => {
  const superadmin = { id: 1, role: 'superadmin' } as const
  const admin = { id: 2, role: 'admin' } as const
  test('is everything for a superadmin, but not to himself', () => {
    expect(reasonAgainst('remove', superadmin, user)).toBeNull()
    expect(reasonAgainst('remove', superadmin, { ...user, id: 1, role: 'superadmin' })).toBe('ownRemove')
    expect(reasonAgainst('disable', superadmin, { ...user, id: 1, role: 'superadmin' })).toBe('ownDisable')
    expect(reasonAgainstRole(superadmin, { ...user, id: 1 })).toBe('ownRole')
  })
  test('ends for an admin where a role is not below his own', () => {
    expect(reasonAgainst('givePassword', admin, user)).toBeNull()
    for (const role of ['admin', 'superadmin'] as const) {
      expect(reasonAgainst('givePassword', admin, { ...user, role })).toBe('above')
      expect(reasonAgainst('endSessions', admin, { ...user, role })).toBe('above')
      expect(reasonAgainstRole(admin, { ...user, role })).toBe('above')
    }
  })
  test('leaves out a second factor that is not there', () => {
    expect(reasonAgainst('resetFactor', admin, user)).toBe('noFactor')
    expect(reasonAgainst('resetFactor', admin, { ...user, totp_enabled: true })).toBeNull()
  })
})

test('states of users and keys: what matters most comes first', () => {
  expect(stateOf({ disabled: true, password_change_required: true })).toBe('disabled')
  expect(stateOf({ disabled: false, password_change_required: true })).toBe('given')
  const now = new Date('2026-03-01T00:00:00.000Z')
  const past = '2026-02-01T00:00:00.000Z'
  expect(keyState({ revoked_at: past, expires_at: past }, now)).toBe('revoked')
  expect(keyState({ revoked_at: null, expires_at: past }, now)).toBe('expired')
  expect(keyState({ revoked_at: null, expires_at: null }, now)).toBe('live')
})
