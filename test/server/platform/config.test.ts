import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ConfigSource, loadConfig } from '../../../src/server/platform/config.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headgate-test-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const load = (over: Partial<ConfigSource> = {}) =>
  loadConfig({
    argv: ['--data-dir', dir],
    env: {},
    platform: 'linux',
    home: '/home/ada',
    randomKey: () => 'random-key',
    ...over,
  })
const file = (text: string) => writeFileSync(join(dir, 'config.yaml'), text)

test('without anything set: loopback, port 4717, an own executor and a random key', async () => {
  expect(await load()).toMatchObject({
    dataDir: dir,
    host: '127.0.0.1',
    port: 4717,
    portFallback: false,
    totpRequired: false,
    desktopSignIn: true,
    executorKey: 'random-key',
    localExecutor: true,
    ai: { apiKey: null },
    firstAdmin: null,
    leases: { executorMs: 20_000, heartbeatMs: 5_000 },
  })
})

test('the data folder is the system’s own place for it unless named', async () => {
  expect((await load({ argv: [] })).dataDir).toBe('/home/ada/.local/share/headgate')
  expect((await load({ argv: [], env: { SVC_DATA_DIR: dir } })).dataDir).toBe(dir)
  expect((await load({ argv: [`--data-dir=${dir}`], env: { SVC_DATA_DIR: '/elsewhere' } })).dataDir).toBe(dir)
})

test('arguments win over the environment, it over config.yaml, that over the default', async () => {
  file('server:\n  port: 1001\nauth:\n  totp_required: true\nai: {api_key: from-the-file}\n')
  expect(await load()).toMatchObject({ port: 1001, totpRequired: true, ai: { apiKey: 'from-the-file' } })
  const env = { SVC_PORT: '1002', SVC_AUTH_TOTP_REQUIRED: 'false', SVC_EXECUTOR_KEY: 'a-long-enough-key' }
  expect(await load({ env })).toMatchObject({ port: 1002, totpRequired: false, executorKey: 'a-long-enough-key' })
  const argv = ['--data-dir', dir, '--port', '0', '--no-executor', '--desktop', '--host=::1']
  expect(await load({ env, argv })).toMatchObject({ port: 0, localExecutor: false, portFallback: true, host: '::1' })
})

test('an empty config.yaml, or one with empty groups, sets nothing', async () => {
  for (const text of ['', '# only a comment\n', 'auth:\nserver:\n  # port: 1\n']) {
    file(text)
    expect((await load()).port).toBe(4717)
  }
})

test.each([
  [
    'an unknown setting',
    'auth:\n  totp_requird: true\n',
    /^config\.yaml:2:3 auth\.totp_requird: unknown setting; did you mean auth\.totp_required\?/,
  ],
  [
    'an unknown group',
    'autth:\n  totp_required: true\n',
    /^config\.yaml:1:1 autth: unknown setting; known are server\.host/,
  ],
  [
    'a wrong type',
    'auth:\n  totp_required: "yes"\n',
    /^config\.yaml:2:18 auth\.totp_required: "yes" is neither true nor false; give true or false/,
  ],
  [
    'a bad port',
    'server: {port: 70000}\n',
    /^config\.yaml:1:16 server\.port: 70000 is out of range; give a whole number from 0 to 65535/,
  ],
  ['a port with a fraction', 'server: {port: 80.5}\n', /server\.port: 80\.5 is not a whole number/],
  ['a group that is a value', 'server: 4717\n', /^config\.yaml:1:1 server: unknown setting/],
  ['a list', '- a\n', /not a map/],
  ['broken YAML', 'server:\n  port: [1\n', /^config\.yaml:\d+:\d+ is not valid YAML: .*; correct it there/],
  [
    'the same key twice',
    'server:\n  port: 1\n  port: 2\n',
    /^config\.yaml:3:3 is not valid YAML: Map keys must be unique/,
  ],
  [
    'a bad host name',
    'server:\n  allowed_hosts: [good.example, "bad host"]\n',
    /server\.allowed_hosts: "bad host" is not a host name/,
  ],
  ['a bad level', 'log: {level: loud}\n', /log\.level: "loud" is not a level; give one of debug, info, warn, error/],
])('config.yaml with %s stops with line, column, reason and remedy', async (_, text, expected) => {
  file(text)
  await expect(load()).rejects.toThrow(expected)
})

test('a bad secret is refused without being repeated', async () => {
  file('ai:\n  api_key: 12345\n')
  await expect(load()).rejects.toThrow(/ai\.api_key: is not a text/)
  await expect(load({ argv: ['--data-dir', join(dir, 'x')], env: { SVC_EXECUTOR_KEY: 'hunter2' } })).rejects.toThrow(
    /^SVC_EXECUTOR_KEY: is too short; give a text of at least 8 characters/,
  )
})

test.each([
  [{ env: { SVC_PORT: 'abc' } }, /^SVC_PORT: "abc" is not a whole number; give a whole number from 0 to 65535/],
  [{ env: { SVC_AUTH_TOTP_REQUIRED: 'maybe' } }, /^SVC_AUTH_TOTP_REQUIRED: "maybe" is neither/],
  [{ argv: ['--prot', '1'] }, /^--prot: unknown argument; known are --data-dir DIR/],
  [{ argv: ['--port'] }, /^--port: its value is missing/],
  [{ argv: ['--port', '99999'] }, /^--port: 99999 is out of range/],
  [{ env: { SVC_ADMIN_USERNAME: 'ada' } }, /only one is set; set both or neither/],
  [{ env: { SVC_ADMIN_USERNAME: 'ada', SVC_ADMIN_PASSWORD: 'short' } }, /^SVC_ADMIN_PASSWORD: is too short/],
  [
    { env: { SVC_EXECUTORS_LEASE_MS: '1000' } },
    /executors\.heartbeat_ms: 5000 is too long for executors\.lease_ms 1000/,
  ],
])('%j stops with the reason', async (over, expected) => {
  await expect(load(over)).rejects.toThrow(expected)
})
