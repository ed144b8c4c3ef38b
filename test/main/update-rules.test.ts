import { describe, expect, test } from 'vitest'
import { failureOf, isFeedAddress, nextLook, packageKind, strangeFiles } from '../../src/main/updates/update.rules.ts'

describe('the address of updates', () => {
  test.each([
    ['https://updates.example.com/headgate', true],
    ['http://127.0.0.1:8080/', true],
    ['http://localhost/x', true],
    ['http://[::1]:1/', true],
    ['http://updates.example.com/', false],
    ['http://127.0.0.1.example.com/', false],
    ['https://user:secret@example.com/', false],
    ['file:///tmp/updates', false],
    ['ftp://example.com', false],
    ['', false],
    ['updates', false],
  ])('%s: %s', (address, allowed) => {
    expect(isFeedAddress(address)).toBe(allowed)
  })
})

test('only what was installed as a package can be replaced', () => {
  const at = { packaged: true, platform: 'linux' as const, appImage: undefined, packageType: null }
  expect(packageKind(at)).toBeNull()
  expect(packageKind({ ...at, appImage: '/home/ada/Headgate.AppImage' })).toBe('appimage')
  expect(packageKind({ ...at, packageType: 'deb' })).toBe('system')
  expect(packageKind({ ...at, platform: 'win32' })).toBe('nsis')
  expect(packageKind({ ...at, platform: 'darwin' })).toBe('mac')
  expect(packageKind({ ...at, packaged: false, platform: 'win32' })).toBeNull()
})

test('files beside the description belong to the update, those of other servers do not', () => {
  const files = [
    'a.AppImage',
    '../b.AppImage',
    'https://feed.example/c',
    'https://other.example/d',
    '//other.example/e',
  ]
  expect(
    strangeFiles(
      'https://feed.example/x',
      files.map((url) => ({ url })),
    ),
  ).toEqual(files.slice(3))
})

test('after failures the next look comes sooner, then as ever', () => {
  expect([0, 1, 2, 3, 4, 50].map((failures) => nextLook(failures) / 60_000)).toEqual([360, 5, 20, 80, 320, 360])
})

test('a failure is told by what can be done about it', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code })
  expect(failureOf(coded('ERR_CHECKSUM_MISMATCH'))).toBe('checksum')
  expect(failureOf(coded('ENOSPC'))).toBe('disk')
  expect(failureOf(new Error('net::ERR_NAME_NOT_RESOLVED'))).toBe('away')
  expect(failureOf('something')).toBe('other')
  expect(failureOf(null)).toBe('other')
})
