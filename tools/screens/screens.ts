/**
 * `npm run screens`: starts the real app with the demo's records, goes through every screen in every state, and writes what it
 * looks like to docs/screens: `all/<state>/<look>-<width>/<screen>.png`, and the ones that README and docs show beside `all`.
 * `-- --only job-run` takes the screens whose names begin like that, `--state full`, `--look dark` and `--width 1280` some of them;
 * `--language de` and `--contrast high` or `forced` show the window so.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type BrowserContext, type Page, type Request, chromium } from 'playwright'
import { sessionCookie } from '../demo/control-plane.ts'
import { asDesktop } from './desktop-window.ts'
import type { Screen } from './screen.types.ts'
import { screens } from './screens-list.ts'
import { withoutOwnPages } from '../../test/support/chromium.ts'
import { shown } from './shown.ts'
import { type Workspace, type WorkspaceName, account, makeWorkspace, workspaceNames } from './workspaces.ts'

const looks = ['light', 'dark'] as const
type Look = (typeof looks)[number]
/** The narrow one on request. */
const sizes = [
  { width: 900, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const
type Size = (typeof sizes)[number]
/** `failing`: the records of `full`, and a server whose lists and records answer with an error, or that is away. */
const states = [...workspaceNames, 'failing', 'away'] as const
type State = (typeof states)[number]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    state: { type: 'string', multiple: true, default: [...states] },
    look: { type: 'string', multiple: true, default: [...looks] },
    width: { type: 'string', multiple: true, default: ['1280', '1920'] },
    language: { type: 'string', default: 'en' },
    contrast: { type: 'string', default: 'standard' },
    out: { type: 'string', default: 'docs/screens' },
  },
})
const wanted = (state: State) => values.state.includes(state)
const all = join(values.out, 'all')
/** The ordinary window, or one that has its folders beside. */
const variant = [values.language, values.contrast].filter((one) => one !== 'en' && one !== 'standard')
const systemChromium = '/usr/bin/chromium'
let taken = 0

const browser = await chromium.launch({
  args: ['--no-sandbox', withoutOwnPages],
  ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
})
try {
  for (const name of workspaceNames) {
    if (!(wanted(name) || (name === 'full' && (wanted('failing') || wanted('away'))))) continue
    const workspace = await makeWorkspace(name)
    try {
      await lookAt(name, workspace)
    } finally {
      await workspace.remove()
    }
  }
} finally {
  await browser.close()
}
console.log(`${taken} pictures in ${values.out}`)

async function lookAt(name: WorkspaceName, workspace: Workspace): Promise<void> {
  const cookie = await sessionCookie(workspace.server.url, account)
  for (const look of looks.filter((one) => values.look.includes(one))) {
    for (const size of sizes.filter(({ width }) => values.width.includes(String(width)))) {
      const context = await openContext(workspace, look, size, cookie)
      // Long names are looked for wherever there is anything to look at.
      const as = name === 'long' ? 'full' : name
      const here = screens.filter((screen) => !screen.in || screen.in.includes(as))
      if (wanted(name)) for (const screen of here) await picture(context, workspace, screen, name, look, size)
      if (name === 'full' && wanted('failing')) await failing(context, workspace, look, size)
      await context.close()
    }
  }
  if (name === 'full' && wanted('away')) await away(workspace, cookie)
}

async function openContext({ server }: Pick<Workspace, 'server'>, look: Look, size: Size, cookie: string) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: look,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    contrast: values.contrast === 'high' ? 'more' : 'no-preference',
    forcedColors: values.contrast === 'forced' ? 'active' : 'none',
  })
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Strict' }])
  return context
}

async function picture(
  context: BrowserContext,
  { server, records }: Workspace,
  screen: Screen,
  state: State,
  look: Look,
  { width }: Size,
): Promise<void> {
  const address = screen.address(records)
  if (address === null || !values.only.some((start) => screen.name.startsWith(start))) return
  if (screen.signedOut) await context.clearCookies()
  const page = await context.newPage()
  if (screen.desktop) await asDesktop(page)
  // What the screen before was put into.
  await page.addInitScript(() => localStorage.removeItem('headgate.language'))
  const asked = requestsOf(page)
  await page.goto(`${server.url}${address}`)
  await settled(page, asked)
  if (screen.awaits && state === 'many') await page.locator(screen.awaits).waitFor({ timeout: 120_000 })
  if (screen.after) {
    await screen.after(page)
    await settled(page, asked)
  }
  await speak(page, asked)
  await save(page, join(all, state, [look, width, ...variant].join('-'), `${screen.name}.png`))
  const good = shown[screen.name]
  if (good && variant.length === 0 && state === 'full' && width === 1280)
    await save(page, join(values.out, `${good}-${look}.png`))
  await page.close()
  if (screen.signedOut) await signInAgain(context, server.url)
}

/** What is open is put into the language: a screen is walked in English. */
async function speak(page: Page, asked: ReturnType<typeof requestsOf>): Promise<void> {
  if (values.language === 'en') return
  await page.evaluate((language) => {
    const key = 'headgate.language'
    localStorage.setItem(key, language)
    globalThis.dispatchEvent(new StorageEvent('storage', { key, newValue: language }))
  }, values.language)
  await page.locator(`html[lang=${values.language}]`).waitFor()
  await settled(page, asked)
}

async function signInAgain(context: BrowserContext, url: string): Promise<void> {
  const [name = '', value = ''] = (await sessionCookie(url, account)).split('=', 2)
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
}

/** Every list and record answers with an error of the server: each part of a page has to say so by itself. */
async function failing(context: BrowserContext, workspace: Workspace, look: Look, size: Size): Promise<void> {
  const error = { error: 'INTERNAL_ERROR', message: 'Something went wrong on the server.', request_id: 'req-4f21' }
  const body = JSON.stringify(error)
  const spared = /\/api\/(auth|events|health|branding)/
  await context.route('**/api/**', (route) =>
    spared.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 500, contentType: 'application/json', body }),
  )
  for (const screen of screens) {
    if (!screen.signedOut && !screen.after && screen.in?.includes('full'))
      await picture(context, workspace, screen, 'failing', look, size)
  }
  await context.unroute('**/api/**')
}

/** The server dies while somebody looks at a page. */
async function away({ server, records }: Workspace, cookie: string): Promise<void> {
  const open: [Page, string][] = []
  const contexts: BrowserContext[] = []
  const shownAway = screens.filter(
    ({ name }) =>
      ['home', 'task', 'job-run-failed', 'runs'].includes(name) && values.only.some((start) => name.startsWith(start)),
  )
  for (const look of looks.filter((one) => values.look.includes(one))) {
    for (const size of sizes.filter(({ width }) => values.width.includes(String(width)))) {
      const context = await openContext({ server }, look, size, cookie)
      contexts.push(context)
      for (const screen of shownAway) {
        const page = await context.newPage()
        const asked = requestsOf(page)
        await page.goto(`${server.url}${screen.address(records) ?? '/'}`)
        await settled(page, asked)
        await speak(page, asked)
        open.push([page, join(all, 'away', [look, size.width, ...variant].join('-'), `${screen.name}.png`)])
      }
    }
  }
  server.process.kill('SIGKILL')
  for (const [page, path] of open) {
    await page.getByRole('alert').or(page.getByRole('status')).first().waitFor()
    await save(page, path)
  }
  for (const context of contexts) await context.close()
}

/** Nothing loads and nothing moves any more; after ten seconds the picture is taken as it is. */
async function settled(page: Page, asked: ReadonlySet<Request>): Promise<void> {
  await page.locator('main, form, [role="dialog"]').filter({ visible: true }).first().waitFor()
  const latest = Date.now() + 10_000
  let seen = ''
  let since = Date.now()
  while (Date.now() < latest) {
    const now = asked.size > 0 ? '' : await page.evaluate(() => document.body.innerHTML)
    if (now === '' || now !== seen) since = Date.now()
    else if (Date.now() - since > 350) return
    seen = now
    await setTimeout(60)
  }
}

/** What a page has asked for and not got yet, but for streams, which never end. */
function requestsOf(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (!/\/api\/events|\/logs/.test(request.url())) open.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    // The two events differ in nothing that is used here.
    page.on(end as 'requestfinished', (request) => open.delete(request))
  }
  return open
}

async function save(page: Page, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  await page.screenshot({ path, animations: 'disabled' })
  taken += 1
}
