// What somebody sees before the first page: the first account, signing in with all that it can take, the locked window. What the
// server would say then is said for it: its account has no second factor, and it stays as it is for the other pictures.
import type { Page } from 'playwright'
import { renderSVG } from 'uqr'
import type { bootstrap, getAuthStatus, getMe, login } from '../../src/contract/auth.ts'
import type { ResultOf } from '../../src/contract/operation.ts'
import type { setupTotp, verifyTotp } from '../../src/contract/totp.ts'
import type { Screen } from './screen.types.ts'

type Answer = ResultOf<typeof login>
type Status = ResultOf<typeof getAuthStatus>

const unanswered = {
  requires_totp: false,
  needs_totp_setup: false,
  can_restart_totp_setup: false,
  authenticated: false,
  password_change_required: false,
} satisfies Answer

const says = (page: Page, path: string, json: object, status = 200) =>
  page.route(`**/api/auth/${path}`, (route) => route.fulfill({ status, json }))

const statusIs = (page: Page, changes: Partial<Status>) =>
  page.route('**/api/auth/status', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as Status), ...changes } })
  })

async function typeCredentials(page: Page, button: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: button, exact: true }).click()
}

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const otpauth_url = `otpauth://totp/Headgate:ada?secret=${secret}&issuer=Headgate`
const setup: ResultOf<typeof setupTotp> = { secret, otpauth_url, qr_svg: renderSVG(otpauth_url, { border: 4 }) }
const verified: ResultOf<typeof verifyTotp> = {
  authenticated: true,
  password_change_required: false,
  recovery_codes: Array.from({ length: 10 }, (_, at) => `k7q4${at}-m2x9${at}-p5w8${at}`),
  recovery_codes_left: 10,
}

async function toCode(page: Page): Promise<void> {
  await says(page, 'login', { ...unanswered, requires_totp: true } satisfies Answer)
  await typeCredentials(page, 'Sign in', 'correct horse battery staple')
  await page.getByLabel('6-digit code').waitFor()
}

async function toEnrolment(page: Page): Promise<void> {
  await says(page, 'login', { ...unanswered, needs_totp_setup: true } satisfies Answer)
  await says(page, 'setup-totp', setup)
  await typeCredentials(page, 'Sign in', 'correct horse battery staple')
  await page.getByTestId('totp-secret').waitFor()
}

async function toRecoveryCodes(page: Page): Promise<void> {
  await toEnrolment(page)
  await says(page, 'verify-totp', verified)
  await page.getByLabel('6-digit code').fill('123456')
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
}

async function toFirstAccount(page: Page): Promise<void> {
  await statusIs(page, { needs_bootstrap: true })
  await page.reload()
  await page.getByRole('button', { name: 'Create account' }).waitFor()
}

/** The first account was just made; who is signed in is asked twice, and the first time nobody is. */
async function toWelcome(page: Page): Promise<void> {
  await page.route('**/api/auth/me', (route) => route.fulfill({ status: 401, json: { error: 'AUTH_ERROR' } }), {
    times: 1,
  })
  await toFirstAccount(page)
  await says(page, 'bootstrap', { ...unanswered, authenticated: true } satisfies ResultOf<typeof bootstrap>, 201)
  await typeCredentials(page, 'Create account', 'correct horse battery staple')
  await page.getByTestId('data-folder').waitFor()
}

async function toOwnPassword(page: Page): Promise<void> {
  await page.route('**/api/auth/me', async (route) => {
    const response = await route.fetch()
    const me = (await response.json()) as ResultOf<typeof getMe>
    await route.fulfill({ response, json: { ...me, user: { ...me.user, password_change_required: true } } })
  })
  await page.reload()
}

async function toEndedSession(page: Page): Promise<void> {
  await page.route(/\/api\/(?!auth|events|branding)/, (route) =>
    route.fulfill({ status: 401, json: { error: 'AUTH_ERROR', message: 'Sign in first', request_id: 'req-4f21' } }),
  )
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

/** The answer is made up: a server that was locked would lock the other pictures out. */
async function lock(page: Page): Promise<void> {
  await says(page, 'lock', { success: true })
  await page.keyboard.press('Control+Shift+L')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
}

async function openLocked(page: Page): Promise<void> {
  await statusIs(page, { desktop_locked: true })
  await page.reload()
}

const full = ['full'] as const
const one = (name: string, more: Omit<Screen, 'name' | 'address' | 'in'>): Screen => ({
  name,
  address: () => '/',
  in: full,
  ...more,
})

export const signingIn: readonly Screen[] = [
  one('sign-in', { signedOut: true }),
  one('sign-in-wrong', { signedOut: true, after: (page) => typeCredentials(page, 'Sign in', 'not the password') }),
  one('sign-in-code', { signedOut: true, after: toCode }),
  one('sign-in-enrol', { signedOut: true, after: toEnrolment }),
  one('sign-in-recovery-codes', { signedOut: true, after: toRecoveryCodes }),
  one('sign-in-own-password', { after: toOwnPassword }),
  one('sign-in-again', { after: toEndedSession }),
  one('sign-in-locked', { desktop: true, after: lock }),
  one('sign-in-locked-anew', { desktop: true, signedOut: true, after: openLocked }),
  one('first-account', { signedOut: true, after: toFirstAccount }),
  one('first-account-refused', {
    signedOut: true,
    after: async (page) => {
      await toFirstAccount(page)
      await typeCredentials(page, 'Create account', 'short')
    },
  }),
  one('first-account-welcome', { after: toWelcome }),
]
