import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DesktopUpdate } from '../../src/contract/desktop-bridge.ts'
import { keepUpdated, type UpdateKeeper, type UpdatesOptions } from '../../src/main/updates/updates.ts'
import { words } from '../../src/main/words.ts'
import { net } from '../desktop/electron-standin/net.ts'
import { startFeed, UpdatingApp, type Feed } from './update-feed.ts'

const said = words('en').updateFailures
let folder: string
let image: string
let feed: Feed
let app: UpdatingApp
let kept: UpdateKeeper[]
let environment: NodeJS.ProcessEnv

// The library asks for `electron` when it needs it.
const electron = {
  net,
  session: { fromPartition: () => ({}) },
  autoUpdater: new EventEmitter(),
  app: undefined as unknown,
}
Object.assign(globalThis, { electronOfUpdates: electron })
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: 'test:electron', format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === 'test:electron'
      ? { format: 'commonjs', source: 'module.exports = globalThis.electronOfUpdates', shortCircuit: true }
      : next(url, context),
})

afterAll(() => {
  hooks.deregister()
  Reflect.deleteProperty(globalThis, 'electronOfUpdates')
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-updates-'))
  image = join(folder, 'Headgate.AppImage')
  writeFileSync(image, 'the old one')
  writeFileSync(
    join(folder, 'app-update.yml'),
    'provider: generic\nurl: https://headgate.invalid\nupdaterCacheDirName: headgate-updater\n',
  )
  environment = { ...process.env }
  Object.assign(process.env, { APPIMAGE: image, XDG_CACHE_HOME: join(folder, 'cache') })
  Object.defineProperty(process, 'resourcesPath', { value: folder, configurable: true })
  app = new UpdatingApp(folder)
  electron.app = app
  kept = []
  feed = await startFeed()
})

afterEach(async () => {
  for (const updates of kept) updates.follow('')
  for (const name of ['APPIMAGE', 'XDG_CACHE_HOME']) {
    if (environment[name] === undefined) delete process.env[name]
    else process.env[name] = environment[name]
  }
  Reflect.deleteProperty(process, 'resourcesPath')
  await feed.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Kept {
  updates: UpdateKeeper
  told: DesktopUpdate[]
  /** What is to happen later, and when. */
  timers: { ms: number; act: () => void }[]
  until: (state: DesktopUpdate['state']) => Promise<DesktopUpdate>
  locks: () => number
}

function keep(options: Partial<UpdatesOptions> = {}): Kept {
  const told: DesktopUpdate[] = []
  const timers: Kept['timers'] = []
  const changes = new EventEmitter()
  let locks = 0
  const updates = keepUpdated({
    kind: 'appimage',
    loadUpdater: async () => new (await import('electron-updater')).AppImageUpdater(),
    mayQuit: () => Promise.resolve(true),
    quit: () => {},
    releaseLock: () => void locks++,
    words: () => words('en'),
    log: () => {},
    now: () => new Date('2026-02-03T04:05:06Z'),
    later(ms, act) {
      const timer = { ms, act }
      timers.push(timer)
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
    },
    ...options,
  })
  updates.onChange((update) => {
    told.push(update)
    changes.emit('change')
  })
  kept.push(updates)
  return {
    updates,
    told,
    timers,
    async until(state) {
      while (updates.state().state !== state) await once(changes, 'change')
      return updates.state()
    },
    locks: () => locks,
  }
}

const newVersion = '#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] || echo started > "$(dirname "$0")/started"\n'

async function appears(file: string): Promise<void> {
  const watching = watch(folder)
  try {
    while (!existsSync(join(folder, file))) await once(watching, 'change')
  } finally {
    watching.close()
  }
}

test('without a feed, or in an app that is not installed, nobody is asked', async () => {
  feed.offer('2.0.0', newVersion)
  const { updates } = keep()
  expect(await updates.check()).toEqual({ state: 'off' })
  const other = keep({ kind: null })
  other.updates.follow(feed.url)
  expect(await other.updates.check()).toEqual({ state: 'off' })
  await expect(updates.install()).rejects.toThrow('No update is ready to install.')
  expect(feed.asked).toEqual([])
})

describe('a newer version', () => {
  test('is downloaded in the background and installed when the app ends', async () => {
    feed.offer('2.0.0', newVersion)
    const { updates, told, until, locks } = keep()
    updates.follow(feed.url)
    expect(await until('ready')).toEqual({ state: 'ready', version: '2.0.0' })
    expect(told.map(({ state }) => state).filter((state, n, all) => state !== all[n - 1])).toEqual([
      'current',
      'checking',
      'downloading',
      'ready',
    ])
    expect(readFileSync(image, 'utf8')).toBe('the old one')
    await updates.finish()
    expect(readFileSync(image, 'utf8')).toBe(newVersion)
    expect(existsSync(join(folder, 'started'))).toBe(false)
    expect(locks()).toBe(0)
  })

  test('is installed and started at once when that is asked for', async () => {
    feed.offer('2.0.0', newVersion)
    const { updates, until, locks } = keep()
    updates.follow(feed.url)
    await until('ready')
    await updates.install()
    await updates.finish()
    await appears('started')
    expect(locks()).toBe(1)
  })

  test('is not started when its user stayed after all and quits later', async () => {
    feed.offer('2.0.0', newVersion)
    const { updates, until, locks } = keep()
    updates.follow(feed.url)
    await until('ready')
    await updates.install()
    updates.stay()
    await updates.finish()
    expect(locks()).toBe(0)
  })

  test('is not installed when its feed was taken away meanwhile', async () => {
    feed.offer('2.0.0', newVersion)
    const { updates, until } = keep()
    updates.follow(feed.url)
    await until('ready')
    updates.follow('')
    expect(updates.state()).toEqual({ state: 'off' })
    await updates.finish()
    expect(readFileSync(image, 'utf8')).toBe('the old one')
  })

  test('is left to the user where the system would ask for a password', async () => {
    feed.offer('2.0.0', newVersion)
    const { updates, until } = keep({ kind: 'system' })
    updates.follow(feed.url)
    await until('ready')
    await updates.finish()
    expect(readFileSync(image, 'utf8')).toBe('the old one')
  })
})

test('an older version is refused', async () => {
  feed.offer('0.9.0', newVersion)
  const { updates, until } = keep()
  updates.follow(feed.url)
  await until('checking')
  expect(await until('current')).toEqual({ state: 'current', checked_at: '2026-02-03T04:05:06.000Z' })
  expect(feed.asked.filter((path) => path.endsWith('.AppImage'))).toEqual([])
})

test('a file that is not the one described is thrown away, and a good one is taken later', async () => {
  feed.offer('2.0.0', newVersion, { sha512: Buffer.alloc(64).toString('base64') })
  const { updates, until } = keep()
  updates.follow(feed.url)
  expect(await until('failed')).toMatchObject({ message: said.checksum })
  await updates.finish()
  expect(readFileSync(image, 'utf8')).toBe('the old one')
  const next = keep()
  feed.offer('2.0.1', newVersion)
  next.updates.follow(feed.url)
  expect(await next.until('ready')).toEqual({ state: 'ready', version: '2.0.1' })
})

test('files on another server are not asked for', async () => {
  const other = await startFeed()
  other.offer('2.0.0', newVersion)
  feed.offer('2.0.0', newVersion, { url: `${other.url}/headgate-2.0.0-linux-x86_64.AppImage` })
  const { updates, until } = keep()
  updates.follow(feed.url)
  expect(await until('failed')).toMatchObject({ message: said.strange })
  expect(other.asked).toEqual([])
  await other.close()
})

test('a failure is told once, retried sooner than usual, and forgotten when it is over', async () => {
  const { updates, told, timers, until } = keep()
  updates.follow(feed.url)
  expect(await until('failed')).toMatchObject({ message: said['no-feed'], checked_at: '2026-02-03T04:05:06.000Z' })
  const tellings = told.length
  const waits: number[] = []
  for (let again = 0; again < 3; again++) {
    await expect.poll(() => timers.length).toBe(1)
    const [timer] = timers.splice(0)
    waits.push(timer!.ms / 60_000)
    timer!.act()
  }
  await expect.poll(() => timers.length).toBe(1)
  expect(waits).toEqual([5, 20, 80])
  expect(told).toHaveLength(tellings)
  feed.offer('1.0.0', newVersion)
  expect(await updates.check()).toMatchObject({ state: 'current' })
  expect(timers.map(({ ms }) => ms / 3_600_000)).toEqual([6])
})

test('a feed that is away is told as such', async () => {
  const gone = await startFeed()
  await gone.close()
  const { updates, until } = keep()
  updates.follow(gone.url)
  expect(await until('failed')).toMatchObject({ message: said.away })
})

test('asking twice at once asks once', async () => {
  feed.offer('1.0.0', newVersion)
  const { updates } = keep()
  updates.follow(feed.url)
  await updates.check()
  const before = feed.asked.length
  const [one, two] = await Promise.all([updates.check(), updates.check()])
  expect(one).toEqual(two)
  expect(feed.asked.length).toBe(before + 1)
})
