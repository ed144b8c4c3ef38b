/** Two factors: enrolling an authenticator app, verifying its codes, recovery codes. */
import Type from 'typebox'
import { Success } from './common.ts'
import { operation, ref } from './operation.ts'

export const TotpSetup = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for manual entry', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    otpauth_url: Type.String({ description: 'Content of the QR code' }),
    qr_svg: Type.String({ description: 'The QR code as an SVG document' }),
  },
  { $id: 'TotpSetup' },
)
const RecoveryCodes = Type.Array(Type.String(), { description: 'Shown only once; each works once' })
export const VerifiedTotp = Type.Object(
  {
    authenticated: Type.Boolean({ description: 'A full session was issued' }),
    password_change_required: Type.Boolean({ description: 'The next call must be changeOwnPassword' }),
    recovery_codes: Type.Optional(RecoveryCodes),
    recovery_codes_left: Type.Integer(),
  },
  { $id: 'VerifiedTotp' },
)
const CurrentPassword = Type.String({ minLength: 1, maxLength: 1024 })
const passwordOfFullSession = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Your current password; required unless the session is still pending',
      }),
    ),
  },
  { additionalProperties: false },
)

export const setupTotp = operation({
  id: 'setupTotp',
  method: 'POST',
  path: '/api/auth/setup-totp',
  tag: 'Auth',
  summary: 'Start enrolling an authenticator app',
  description:
    'Enrollment is complete when verifyTotp has accepted its first code. 400 INVALID_STATE if an app is already verified, or if an unverified enrollment exists (restartTotpSetup starts over).',
  security: 'pending',
  body: passwordOfFullSession,
  bodyOptional: true,
  responses: { 200: ref(TotpSetup) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'FORBIDDEN', 'RATE_LIMITED'],
})
export const restartTotpSetup = operation({
  id: 'restartTotpSetup',
  method: 'POST',
  path: '/api/auth/restart-totp-setup',
  tag: 'Auth',
  summary: 'Discard an unverified enrollment and start over',
  security: 'pending',
  body: passwordOfFullSession,
  bodyOptional: true,
  responses: { 200: ref(TotpSetup) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'FORBIDDEN', 'RATE_LIMITED'],
})
export const verifyTotp = operation({
  id: 'verifyTotp',
  method: 'POST',
  path: '/api/auth/verify-totp',
  tag: 'Auth',
  summary: 'Complete a sign-in or an enrollment with a code',
  description:
    'Accepts a code from the authenticator app (also the previous and the next one; each only once) or a recovery code. Enrollment returns the recovery codes, only this once. The session is replaced by a new one. Too many failed codes result in 429.',
  security: 'pending',
  body: Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 64, examples: ['123456'] }) },
    { additionalProperties: false },
  ),
  responses: { 200: ref(VerifiedTotp) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'FORBIDDEN', 'RATE_LIMITED'],
  messages: { RATE_LIMITED: 'Too many failed TOTP attempts. Try again later.' },
})
export const disableTotp = operation({
  id: 'disableTotp',
  method: 'POST',
  path: '/api/auth/disable-totp',
  tag: 'Auth',
  summary: 'Disable your own two-factor authentication',
  description: 'Not allowed while `auth.totp_required` is true (400 INVALID_STATE).',
  security: 'caller',
  body: Type.Object(
    { password: CurrentPassword, code: Type.String({ minLength: 1, maxLength: 64 }) },
    { additionalProperties: false },
  ),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'RATE_LIMITED'],
})
export const renewRecoveryCodes = operation({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/auth/recovery-codes',
  tag: 'Auth',
  summary: 'Create new recovery codes; the old ones stop working',
  security: 'caller',
  body: Type.Object({ password: CurrentPassword }, { additionalProperties: false }),
  responses: { 200: Type.Object({ recovery_codes: RecoveryCodes }) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'RATE_LIMITED'],
})
