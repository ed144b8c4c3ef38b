import { expect, test, type Page } from '@playwright/test'
import { launchApp, type Launched } from './launch.ts'

let launched: Launched
let page: Page
let home: string

test.beforeEach(async () => {
  launched = await launchApp()
  page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
  home = new URL(page.url()).origin
  await launched.app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
})
test.afterEach(() => launched.end())

const openedOutside = (): Promise<string[]> =>
  launched.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
const windows = (): Promise<string[]> =>
  launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.webContents.getURL()))

/** Leaves the page by a link, as a person or a script would. */
async function follow(url: string, target = ''): Promise<void> {
  await page.evaluate(
    ([href, target]) => {
      const link = Object.assign(document.createElement('a'), { href, target })
      document.body.append(link)
      link.click()
    },
    [url, target] as const,
  )
}

test('a link that leads away is refused and the app stays', async () => {
  await follow('https://example.invalid/away')
  await expect.poll(launched.output).toContain('refused to leave the app for https://example.invalid/away')
  expect(new URL(page.url()).origin).toBe(home)
  expect(await page.evaluate(() => document.readyState)).toBe('complete')
})

test('another port of this machine is away, too', async () => {
  const other = `http://127.0.0.1:${Number(new URL(home).port) === 9 ? 10 : 9}/`
  await page.evaluate((url) => void (location.href = url), other)
  await expect.poll(launched.output).toContain(`refused to leave the app for ${other}`)
  expect(new URL(page.url()).origin).toBe(home)
})

test('pages of the app may be followed', async () => {
  await follow(`${home}/api/docs`)
  await page.waitForURL(`${home}/api/docs*`)
})

test('window.open of an https page goes to the browser of the system', async () => {
  await page.evaluate(() => void window.open('https://example.invalid/guide'))
  await expect.poll(openedOutside).toEqual(['https://example.invalid/guide'])
  await follow('https://example.invalid/link', '_blank')
  await expect.poll(openedOutside).toEqual(['https://example.invalid/guide', 'https://example.invalid/link'])
  expect(await windows()).toHaveLength(1)
})

test('other schemes are opened nowhere', async () => {
  for (const url of ['http://example.invalid/', 'file:///etc/passwd', 'smb://host/share']) {
    await page.evaluate((url) => void window.open(url), url)
    await expect.poll(launched.output).toContain(`refused to open ${url}`)
  }
  expect(await openedOutside()).toEqual([])
  expect(await windows()).toHaveLength(1)
})

test('window.open of a page of the app gives a second window with the same limits', async () => {
  const opening = launched.app.waitForEvent('window')
  await page.evaluate(() => void window.open('/api/docs'))
  const second = await opening
  await second.waitForURL(`${home}/api/docs*`)
  await second.evaluate(() => void (location.href = 'https://example.invalid/second'))
  await expect.poll(launched.output).toContain('refused to leave the app for https://example.invalid/second')
  expect(await windows()).toHaveLength(2)
})
