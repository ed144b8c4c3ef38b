/** Transactions without an event, such as batches of log lines, are counted beside the store as well. */
import Sqlite from 'better-sqlite3'
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findLoss, readHead } from '../../../src/server/platform/store-head.ts'
import { openTestPlatform } from '../../support/platform.ts'

const frameBytes = 24 + 4_096

async function open() {
  const { platform, dataDir, close } = await openTestPlatform()
  onTestFinished(close)
  // One page, and so one frame of the log.
  const put = platform.store.sqlite.prepare("UPDATE store_meta SET value = ? WHERE key = 'version'")
  const quiet = () => readHead(join(dataDir, 'headgate.head'))?.quiet
  /** What a start finds in a copy of the files, of which the log has lost its last frames. */
  const lossWithout = (frames: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    for (const name of ['headgate.db', 'headgate.db-wal', 'headgate.head'])
      copyFileSync(join(dataDir, name), join(folder, name))
    const log = join(folder, 'headgate.db-wal')
    truncateSync(log, statSync(log).size - frames * frameBytes)
    const sqlite = new Sqlite(join(folder, 'headgate.db'))
    try {
      return findLoss(sqlite, join(folder, 'headgate.head'))
    } finally {
      sqlite.close()
    }
  }
  return { platform, put, quiet, lossWithout }
}

test('a lost commit without an event is noticed', async () => {
  const { platform, put, lossWithout } = await open()
  for (let n = 0; n < 3; n++) platform.store.transaction(() => put.run(String(n)))
  expect(lossWithout(0)).toBeUndefined()
  expect(lossWithout(1)).toMatchObject({ lost: 1 })
  expect(lossWithout(2)).toMatchObject({ lost: 2 })
})

test('only commits that change something without an event are counted', async () => {
  const { platform, put, quiet } = await open()
  const { store, events } = platform
  const before = quiet()!
  store.transaction(() => store.sqlite.prepare('SELECT 1').get())
  store.transaction(() => {
    put.run('with an event')
    events.append('run.progress', 1, {})
  })
  expect(() =>
    store.transaction(() => {
      put.run('rolled back')
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(quiet()).toBe(before)
  store.transaction(() => put.run('quiet'))
  await store.group(() => put.run('in a group'))
  expect(quiet()).toBe(before + 2)
})
