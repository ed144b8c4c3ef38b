// The app as it is installed: what electron-builder has packed is started from its archive, with nothing of this folder in reach.
import { expect, test, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFeed, type Feed } from '../main/update-feed.ts'
import { layOutArchive, packedApp } from '../package/packed-app.ts'
import { ADMIN, executors, get, post, untilSignedIn } from './app-page.ts'
import { environment, findShell, launchApp, type Launched } from './launch.ts'

const PIPELINE = `
etl: 1
kind: pipeline
name: packaged.cities
connectors:
  out: {type: file, access: write}
source:
  inline:
    rows:
      - {id: 1, city: Oslo}
      - {id: 2, city: Rome}
steps:
  - map: '{"id": id, "shout": $uppercase(city)}'
target:
  connector: out
  file: {path: cities.parquet, format: parquet}
`
const SCRIPT = `
etl: 1
kind: script
name: packaged.script
script: |
  return {answer: 6 * 7}
outputs: {answer: "\${{ result.answer }}"}
`

let folder: string
let app: string
let feed: Feed
let launched: Launched | undefined

test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'headgate-packaged-'))
  app = layOutArchive(await packedApp(), join(folder, 'installed'))
  feed = await startFeed()
})
test.afterEach(() => launched?.end())
test.afterAll(async () => {
  await feed.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function ended(page: Page, run: number): Promise<{ status: string; outputs: unknown }> {
  const look = async () =>
    (await get(page, `/api/runs/${run}`)).body as { status: string; outputs: unknown; error: unknown }
  await expect.poll(async () => (await look()).status).toMatch(/success|failed/)
  const { status, outputs, error } = await look()
  expect(error ?? null).toBeNull()
  return { status, outputs }
}

test('it shows its window, runs tasks in workers and threads, and backs up', async () => {
  launched = await launchApp({ app, env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect.poll(() => executors(page)).toEqual([{ name: 'local', status: 'online' }])

  const { id: out } = await post(page, '/api/connectors', {
    name: 'Folder',
    type: 'file',
    config: { root: launched.userData },
  })
  const pipeline = await post(page, '/api/tasks', { yaml_content: PIPELINE })
  const first = await post(page, `/api/runs/trigger/${pipeline.id}`, { connector_mapping: { out } })
  expect(await ended(page, first.id)).toMatchObject({ status: 'success' })
  expect(readFileSync(join(launched.userData, 'cities.parquet')).subarray(0, 4).toString()).toBe('PAR1')
  const script = await post(page, '/api/tasks', { yaml_content: SCRIPT })
  const second = await post(page, `/api/runs/trigger/${script.id}`, {})
  expect(await ended(page, second.id)).toEqual({ status: 'success', outputs: '{"answer":42}' })
  await post(page, '/api/server/backup', {})
})

test('it fetches the next version from the folder that its user names, and is replaced by it', async () => {
  const image = join(folder, 'headgate.AppImage')
  writeFileSync(image, 'the version that runs')
  launched = await launchApp({ app, env: { ...ADMIN, APPIMAGE: image, XDG_CACHE_HOME: join(folder, 'cache') } })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  const started = join(folder, 'started')
  feed.offer('99.0.0', `#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] || echo yes > ${started}\n`)
  await launched.app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false })
  })
  await page.evaluate((url) => window.headgate!.setSettings({ update_feed_url: url }), feed.url)
  const update = () => page.evaluate(() => window.headgate!.update())
  await expect.poll(update).toEqual({ state: 'ready', version: '99.0.0' })
  // The page may end before it has its answer.
  await page.evaluate(() => void window.headgate!.installUpdate())
  expect(await launched.exitCode).toBe(0)
  expect(readFileSync(image, 'utf8')).toContain('#!/bin/sh')
  await expect.poll(() => existsSync(started)).toBe(true)
})

test('called with a command it is the command line, without a window', async () => {
  const file = join(folder, 'task.yaml')
  writeFileSync(file, SCRIPT.replace('kind: script', 'kind: scirpt'))
  const child = spawn(findShell().executable, [app, 'validate', file, '--json'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
  expect(JSON.parse(output)).toMatchObject([{ file, valid: false }])
})
