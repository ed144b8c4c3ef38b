import { expect, test } from 'vitest'
import { isLink, pathOfLink, schemeRegistration } from '../../src/main/incoming/links.ts'

test.each([
  ['headgate://runs/17', '/runs/17'],
  ['headgate:///runs/17', '/runs/17'],
  ['HEADGATE://runs/17', '/runs/17'],
  ['headgate://runs/17/', '/runs/17'],
  ['headgate://tasks/7?tab=versions', '/tasks/7?tab=versions'],
  ['headgate://runs?status=failed&task=a%20b#L12', '/runs?status=failed&task=a%20b#L12'],
  ['headgate://settings/desktop', '/settings/desktop'],
  ['headgate://tasks/caf%C3%A9', '/tasks/caf%C3%A9'],
  ['headgate://', '/'],
  ['headgate:///', '/'],
  ['headgate://?tab=a', '/?tab=a'],
])('%s leads to %s', (link, path) => {
  expect(pathOfLink(link)).toBe(path)
})

test.each([
  'headgate:runs/17',
  'headgate:/runs/17',
  'headgate:////evil.example/x',
  'headgate://runs//evil.example',
  'headgate://../runs',
  'headgate://runs/../../etc',
  'headgate://runs/./17',
  'headgate://runs/%2e%2e/x',
  'headgate://runs/%2Fetc',
  'headgate://runs/%5cetc',
  'headgate://runs/%252fetc',
  'headgate://runs/%00',
  'headgate://runs/%0d%0aSet-Cookie',
  'headgate://runs/17?x=%0a',
  'headgate://runs/17#%7f',
  'headgate://runs/%ff',
  'headgate://runs/%zz',
  'headgate://runs/1 7',
  'headgate://runs/17\n',
  'headgate://runs\\17',
  'headgate://user@evil.example/runs',
  'headgate://evil.example:80/runs',
  'headgate://runs/<script>',
  'headgate://api/auth/me',
  'headgate:///API/server/shutdown',
  'headgate://%61pi/auth/me',
  'headgate:///A%50i/docs',
  'https://runs/17',
  'headgatex://runs/17',
  'javascript:alert(1)',
  '',
  `headgate://runs/${'a'.repeat(3_000)}`,
])('%j leads nowhere', (link) => {
  expect(pathOfLink(link)).toBeNull()
})

test('what begins with the scheme is a link, also one that is refused later; a drive letter is none', () => {
  expect(['headgate://runs', 'Headgate:x', 'C:\\data.csv', '/headgate:x'].map(isLink)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('the app is registered so that a link cannot be taken for a switch', () => {
  const base = { execPath: '/opt/headgate', appPath: '/src/headgate' }
  const packaged = schemeRegistration({ ...base, platform: 'win32', isPackaged: true })
  expect(packaged).toEqual(['headgate', '/opt/headgate', ['--']])
  const dev = schemeRegistration({ ...base, platform: 'darwin', isPackaged: false })
  expect(dev).toEqual(['headgate', '/opt/headgate', ['/src/headgate', '--']])
  expect(schemeRegistration({ ...base, platform: 'linux', isPackaged: false })).toBeNull()
})
