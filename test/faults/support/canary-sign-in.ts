import { vi } from 'vitest'
import type { ServerProcess } from '../../support/server-process.ts'
import { codeAt } from '../../support/totp.ts'
import type { Aviary } from './canary.ts'
import { type Ask, answered, cookieOf } from './canary-caller.ts'

/** Passwords, sessions, second factor, recovery codes, launch token. Gives the cookie of a full session. */
export async function signInEverywhere({ plant, know }: Aviary, ask: Ask, { server }: { server: ServerProcess }) {
  const account = { username: 'ada', password: plant('first password') }
  const made = await ask('POST', '/api/auth/bootstrap', { body: account, shows: ['session 1'] })
  answered(made, 201)
  know('session 1', tokenOf(cookieOf(made)))
  const wrong = { username: 'ada', password: plant('wrong password') }
  answered(await ask('POST', '/api/auth/login', { body: wrong }), 401)
  const setup = await ask<{ secret: string }>('POST', '/api/auth/setup-totp', {
    headers: { cookie: cookieOf(made) },
    shows: ['seed', 'seed as bytes'],
  })
  const { secret } = setup.body
  know('seed', secret)
  know('seed as bytes', fromBase32(secret))
  const codes = Array.from({ length: 20 }, (_, at) => `recovery code ${at}`)
  const verified = await ask<{ recovery_codes: string[] }>('POST', '/api/auth/verify-totp', {
    headers: { cookie: cookieOf(made) },
    body: { code: codeAt(secret, new Date()) },
    shows: ['session 2', ...codes],
  })
  answered(verified, 200)
  know('session 2', tokenOf(cookieOf(verified)))
  verified.body.recovery_codes.forEach((code, at) => know(codes[at]!, code))
  const password = plant('new password')
  const changed = await ask('POST', '/api/users/me/password', {
    body: { current_password: account.password, new_password: password },
    headers: { cookie: cookieOf(verified) },
    shows: ['session 3'],
  })
  answered(changed, 200)
  know('session 3', tokenOf(cookieOf(changed)))
  // With a recovery code, as somebody without his telephone.
  const half = await ask('POST', '/api/auth/login', { body: { username: 'ada', password }, shows: ['session 4'] })
  know('session 4', tokenOf(cookieOf(half)))
  const whole = await ask('POST', '/api/auth/verify-totp', {
    headers: { cookie: cookieOf(half) },
    body: { code: verified.body.recovery_codes[0] },
    shows: ['session 5'],
  })
  answered(whole, 200)
  know('session 5', tokenOf(cookieOf(whole)))
  const user = { username: 'grace', role: 'editor', password: plant('given password') }
  answered(await ask('POST', '/api/users', { headers: { cookie: cookieOf(whole) }, body: user }), 201)

  server.child.send({ type: 'launch-token', id: 1 })
  const token = await vi.waitUntil(() => server.messages.find(({ event }) => event === 'launch-token')?.['token'], {
    timeout: 60_000,
  })
  know('launch token', String(token))
  const launched = await ask('POST', '/api/auth/launch', { body: { token }, shows: ['session 6'] })
  know('session 6', tokenOf(cookieOf(launched)))
  return cookieOf(whole)
}

const tokenOf = (cookie: string) => cookie.split('=', 2)[1]!

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}
