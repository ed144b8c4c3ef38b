import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, type Surroundings } from '../../../src/executor/config.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headgate-executor-config-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function read(args: string[], change: Partial<Surroundings> = {}) {
  const env = { SVC_EXECUTOR_KEY: 'key', XDG_DATA_HOME: dataDir }
  return readConfig({ args, env, platform: 'linux', home: dataDir, hostname: 'box.local', cores: 4, ...change })
}
const url = ['--url', 'http://127.0.0.1:4717']

test('has defaults for everything but address and key', () => {
  const config = read(url)
  expect(config).toMatchObject({ key: 'key', name: 'box.local', slots: 4, labels: {}, graceMs: 3_000 })
  expect(config.url().href).toBe('http://127.0.0.1:4717/')
  expect(read(url, { cores: 1, hostname: '__' })).toMatchObject({ slots: 2, name: 'executor' })
})

test('reads labels given apart or together', () => {
  expect(read([...url, '--labels', 'zone=eu, gpu=no', '--labels', 'rack=7']).labels).toEqual({
    zone: 'eu',
    gpu: 'no',
    rack: '7',
  })
})

describe('the address in endpoint.json', () => {
  const write = (content: string): void => writeFileSync(join(dataDir, 'endpoint.json'), content)

  test('is followed when the control plane comes back elsewhere, and stands while it is away', async () => {
    write('{"url":"http://127.0.0.1:1111"}')
    const config = read(['--data-dir', dataDir])
    expect(config.url().port).toBe('1111')
    rmSync(join(dataDir, 'endpoint.json'))
    expect(config.url().port).toBe('1111')
    write('{"url":"http://127.0.0.1:2222"}')
    await expect.poll(() => config.url().port).toBe('2222')
  })

  test('is looked for in SVC_DATA_DIR, too', () => {
    write('{"url":"http://127.0.0.1:3333"}')
    expect(read([], { env: { SVC_EXECUTOR_KEY: 'key', SVC_DATA_DIR: dataDir } }).url().port).toBe('3333')
  })

  test.each(['', '{}', '[]', 'null', '{"url":"ftp://host"}'])(
    'that is no address is refused with the file: %s',
    (content) => {
      write(content)
      expect(() => read(['--data-dir', dataDir])).toThrow(/endpoint\.json is ".*", which is no address/)
    },
  )

  test('that is missing says what to do', () => {
    expect(() => read([])).toThrow(/endpoint\.json is not there: no Headgate is running.*--url/)
  })
})

test.each([
  [['--url', 'localhost:4717'], '--url is "localhost:4717", which is no address'],
  [[...url, '--slots', '0'], 'from 1 to 1000'],
  [[...url, '--slots', '1e3'], 'from 1 to 1000'],
  [[...url, '--grace', '-1'], '--grace'],
  [[...url, '--name', 'a b'], '--name is "a b"'],
  [[...url, '--labels', 'zone'], 'write labels as key=value'],
  [[...url, '--colour', 'red'], "Unknown option '--colour'"],
  [[...url, 'extra'], 'Unexpected argument'],
])('refuses %j', (args, message) => {
  expect(() => read(args)).toThrow(ConfigError)
  expect(() => read(args)).toThrow(message)
})

test('takes the key from the environment alone', () => {
  expect(() => read(url, { env: {} })).toThrow('SVC_EXECUTOR_KEY is not set')
  expect(() => read([...url, '--key', 'x'])).toThrow("Unknown option '--key'")
  expect(() => read(url, { env: { SVC_EXECUTOR_KEY: 'a\nb' } })).toThrow('printable ASCII')
})

test('lets tasks start programs only where the environment says so', () => {
  const withCommands = (value?: string): unknown =>
    read(url, { env: { SVC_EXECUTOR_KEY: 'key', HEADGATE_EXECUTOR_COMMANDS: value } }).commands
  expect(withCommands()).toEqual({ kind: 'none' })
  expect(withCommands('false')).toEqual({ kind: 'none' })
  expect(withCommands('true')).toEqual({ kind: 'any' })
  expect(withCommands('/usr/bin/rsync:/usr/bin/tar')).toEqual({
    kind: 'listed',
    programs: ['/usr/bin/rsync', '/usr/bin/tar'],
  })
  expect(() => withCommands('rsync')).toThrow('HEADGATE_EXECUTOR_COMMANDS is "rsync": HEADGATE_EXECUTOR_COMMANDS=true')
})
