import { expect, test } from 'vitest'
import { optionValue, readConfig, type Surroundings } from '../../src/main/config.ts'

const at = (argv: string[], env: Record<string, string> = {}): Surroundings => ({
  argv: ['electron', '.', ...argv],
  env,
  platform: 'linux',
  home: '/home/ada',
  cwd: '/somewhere',
})

test('without anything said, data lie where the system keeps them, and the profile inside', () => {
  expect(readConfig(at([]))).toMatchObject({
    dataDir: '/home/ada/.local/share/headgate',
    userDataDir: '/home/ada/.local/share/headgate/window',
    port: undefined,
  })
})

test('--data-dir goes before SVC_DATA_DIR, which goes before the default', () => {
  const env = { SVC_DATA_DIR: '/from-env' }
  expect(readConfig(at(['--data-dir', 'mine'], env)).dataDir).toBe('/somewhere/mine')
  expect(readConfig(at(['--data-dir=/mine'], env)).dataDir).toBe('/mine')
  expect(readConfig(at([], env)).dataDir).toBe('/from-env')
})

test('a profile folder of one’s own brings a data folder of its own, unless that is named', () => {
  expect(readConfig(at(['--user-data-dir=/tmp/u']))).toMatchObject({ dataDir: '/tmp/u/data', userDataDir: '/tmp/u' })
  expect(readConfig(at(['--user-data-dir=/tmp/u', '--data-dir', '/d'])).dataDir).toBe('/d')
})

test('SVC_ variables are for the server, others are not', () => {
  expect(readConfig(at([], { SVC_ADMIN_USERNAME: 'ada', HOME: '/home/ada' })).serviceEnv).toEqual({
    SVC_ADMIN_USERNAME: 'ada',
  })
})

test('the last of several options counts, and a similar name does not', () => {
  expect(optionValue(['--port', '1', '--port=2', '--port-range=3'], 'port')).toBe('2')
  expect(optionValue(['--ports'], 'port')).toBeUndefined()
})
