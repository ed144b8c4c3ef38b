import { expect, test } from 'vitest'
import { defaultDataDir } from '../../src/process/data-dir.ts'

test('Linux follows XDG_DATA_HOME when it is absolute, else ~/.local/share', () => {
  expect(defaultDataDir({ XDG_DATA_HOME: '/data' }, 'linux', '/home/ada')).toBe('/data/headgate')
  expect(defaultDataDir({ XDG_DATA_HOME: 'relative' }, 'linux', '/home/ada')).toBe('/home/ada/.local/share/headgate')
  expect(defaultDataDir({}, 'linux', '/home/ada')).toBe('/home/ada/.local/share/headgate')
})

test('the Mac has Application Support', () => {
  expect(defaultDataDir({}, 'darwin', '/Users/ada')).toBe('/Users/ada/Library/Application Support/Headgate')
})

test('Windows has APPDATA, or its usual place without it', () => {
  expect(defaultDataDir({ APPDATA: 'D:\\Roaming' }, 'win32', 'C:\\Users\\ada')).toBe('D:\\Roaming\\Headgate')
  expect(defaultDataDir({}, 'win32', 'C:\\Users\\ada')).toBe('C:\\Users\\ada\\AppData\\Roaming\\Headgate')
})
