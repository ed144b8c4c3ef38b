import { expect, test } from 'vitest'
import { nextBackupAt, whyNotWritten } from '../../../src/server/features/backups/backups.rules.ts'
import { newBackupName, readBackupName } from '../../../src/server/platform/backup-files.ts'

const hour = 3_600_000
const at = (hours: number) => new Date(hours * hour)
const state = { everyMs: 24 * hour, lastAt: at(100), storeSince: at(0), startedAt: at(110), failedAt: null }
test.each([
  ['never when it is turned off', { everyMs: 0 }, null],
  ['after the last one', {}, at(124)],
  ['from the making of the store for the first one', { lastAt: null, startedAt: at(1) }, at(24)],
  ['soon after a start for what came due before', { startedAt: at(200) }, new Date(200 * hour + 60_000)],
  ['later after a failure', { failedAt: at(125) }, new Date(125 * hour + 900_000)],
])('the next one is due %s', (_, change, expected) => {
  expect(nextBackupAt({ ...state, ...change })).toEqual(expected)
})

test('names say when and why, and nothing else is taken for one of ours', () => {
  const at = new Date('2026-03-01T08:30:00.123Z')
  expect(newBackupName('/nowhere', at, 'scheduled')).toBe('headgate-2026-03-01T08-30-00-123Z-scheduled.db')
  expect(readBackupName('headgate-2026-03-01T08-30-00-123Z-scheduled-2.db')).toEqual({
    reason: 'scheduled',
    created_at: at.toISOString(),
  })
  for (const name of ['headgate-2026-13-45T08-30-00-123Z-manual.db', 'headgate-x-manual.db', 'manual.db']) {
    expect(readBackupName(name)).toBeUndefined()
  }
})

test.each([
  ['ENOSPC', /isn’t enough space/],
  ['SQLITE_FULL', /isn’t enough space/],
  ['EACCES', /can’t be written \(EACCES\)/],
  ['SQLITE_IOERR_WRITE', /can’t be written/],
  ['SQLITE_CORRUPT', /store itself is damaged/],
])('%s becomes a sentence', (code, expected) => {
  expect(whyNotWritten(code, '/backups')?.message).toMatch(expected)
  expect(whyNotWritten('', '/backups')).toBeUndefined()
})

test('a restore without room says that nothing was changed, and not that a backup was not kept', () => {
  expect(whyNotWritten('ENOSPC', '/data', true)?.message).toBe(
    'There isn’t enough space in /data to restore the backup, so nothing was changed. Free up disk space.',
  )
})
