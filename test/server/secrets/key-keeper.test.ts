import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Keychain, openKeyFile, openKeys } from '../../../src/server/platform/key-keeper.ts'
import { type KeyRing, keysText, newSecretKey } from '../../../src/server/platform/key-ring.ts'

let folder: string
let files: { secretKey: string; keychainKey: string }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-keys-'))
  files = { secretKey: join(folder, 'secret.key'), keychainKey: join(folder, 'secret.key.keychain') }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The keychain of one login: what another one encrypted it refuses. */
function keychainOf(login: string, change: Partial<Keychain> = {}): Keychain {
  return {
    unavailable: () => Promise.resolve(null),
    encrypt: (text) => Promise.resolve(Buffer.from(`${login}:${text}`).toString('base64')),
    decrypt(sealed) {
      const [by, text] = Buffer.from(sealed, 'base64').toString().split(':')
      return by === login ? Promise.resolve({ text: text!, renew: false }) : Promise.reject(new Error('not mine'))
    },
    ...change,
  }
}
const idsOf = (keys: KeyRing) => keys.map(({ id }) => id)

test('headless the key lies in a file of its owner alone, and is the same at the next start', () => {
  const first = openKeyFile(files)
  expect([first.place, first.made, first.missing]).toEqual(['file', true, null])
  expect(statSync(files.secretKey).mode & 0o777).toBe(0o600)
  const second = openKeyFile(files)
  expect([second.made, idsOf(second.keys)]).toEqual([false, idsOf(first.keys)])
  expect(readdirSync(folder)).toEqual(['secret.key'])
})

test('a file that holds no keys stops the start and is left as it is', () => {
  for (const text of ['', 'abc\n', `${'ab'.repeat(32)}\nrubbish\n`]) {
    writeFileSync(files.secretKey, text)
    expect(() => openKeyFile(files)).toThrow(/does not hold keys \(64 hexadecimal characters a line\)/)
    expect(readFileSync(files.secretKey, 'utf8')).toBe(text)
  }
})

test('the desktop makes its key in the keychain; no file has it', async () => {
  const keeper = await openKeys(files, keychainOf('ada'))
  expect([keeper.place, keeper.made, keeper.missing]).toEqual(['keychain', true, null])
  expect(readdirSync(folder)).toEqual(['secret.key.keychain'])
  expect(readFileSync(files.keychainKey, 'utf8')).not.toContain(keysText(keeper.keys).trim())
  expect(idsOf((await openKeys(files, keychainOf('ada'))).keys)).toEqual(idsOf(keeper.keys))
})

test('the key of a file is moved to the keychain, and the file is gone only once it is there', async () => {
  const before = openKeyFile(files)
  const seen: boolean[] = []
  const watched = keychainOf('ada', {
    encrypt(text) {
      seen.push(existsSync(files.secretKey))
      return keychainOf('ada').encrypt(text)
    },
  })
  const keeper = await openKeys(files, watched)
  expect([keeper.place, idsOf(keeper.keys), seen]).toEqual(['keychain', idsOf(before.keys), [true]])
  expect(existsSync(files.secretKey)).toBe(false)
})

test('a keychain that cannot be used leaves the key in its file, and says so', async () => {
  const keeper = await openKeys(
    files,
    keychainOf('ada', { unavailable: () => Promise.resolve('no keyring is running') }),
  )
  expect([keeper.place, keeper.missing]).toEqual(['file', null])
  expect(keeper.notes.join()).toContain('cannot be used (no keyring is running)')
})

test('a keychain that takes nothing, or gives back something else, loses no key', async () => {
  const before = openKeyFile(files)
  const broken: Partial<Keychain>[] = [
    { encrypt: () => Promise.reject(new Error('locked')) },
    { decrypt: () => Promise.resolve({ text: 'something else', renew: false }) },
  ]
  for (const change of broken) {
    const keeper = await openKeys(files, keychainOf('ada', change))
    expect([keeper.place, idsOf(keeper.keys)]).toEqual(['file', idsOf(before.keys)])
    expect(keeper.notes.join()).toContain('did not take the key')
    expect(idsOf(openKeyFile(files).keys)).toEqual(idsOf(before.keys))
  }
})

test('without the desktop a key in the keychain is out of reach: a new one is made beside it, and the desktop has both', async () => {
  const desktop = await openKeys(files, keychainOf('ada'))
  const headless = openKeyFile(files)
  expect([headless.made, headless.missing]).toEqual([true, 'in_keychain'])
  expect(idsOf(headless.keys)).not.toEqual(idsOf(desktop.keys))
  const again = await openKeys(files, keychainOf('ada'))
  expect(idsOf(again.keys)).toEqual([...idsOf(desktop.keys), ...idsOf(headless.keys)])
  expect(existsSync(files.secretKey)).toBe(false)
})

test('after another login the key is lost, not overwritten: the old login gives it again', async () => {
  const old = await openKeys(files, keychainOf('ada'))
  const other = await openKeys(files, keychainOf('grace'))
  expect([other.place, other.made, other.missing]).toEqual(['keychain', true, 'refused'])
  await other.replace([newSecretKey(), ...other.keys])
  const back = await openKeys(files, keychainOf('ada'))
  expect(idsOf(back.keys)).toEqual(idsOf(old.keys))
  const both = keychainOf('ada', {
    decrypt: (sealed) =>
      keychainOf('ada')
        .decrypt(sealed)
        .catch(() => keychainOf('grace').decrypt(sealed)),
  })
  const all = await openKeys(files, both)
  expect(new Set(idsOf(all.keys))).toEqual(new Set([...idsOf(old.keys), ...idsOf(other.keys)]))
  expect(readFileSync(files.keychainKey, 'utf8').trim().split('\n')).toHaveLength(1)
})

test('what the keychain wants encrypted again is encrypted again', async () => {
  await openKeys(files, keychainOf('ada'))
  const before = readFileSync(files.keychainKey, 'utf8')
  let salt = 0
  const renewing = keychainOf('ada', {
    encrypt: (text) => Promise.resolve(Buffer.from(`ada:${text}:${++salt}`).toString('base64')),
    decrypt: async (sealed) => ({ ...(await keychainOf('ada').decrypt(sealed)), renew: true }),
  })
  await openKeys(files, renewing)
  expect(readFileSync(files.keychainKey, 'utf8')).not.toBe(before)
})

test('keys are used only once they are on disk', async () => {
  const keeper = openKeyFile(files)
  const [before] = keeper.keys
  const next = newSecretKey()
  const under = keeper.replace([next, { ...before, retiring: true }])
  await under
  expect(idsOf(openKeyFile(files).keys)).toEqual([next.id, before.id])
  rmSync(folder, { recursive: true })
  await expect(keeper.replace([newSecretKey()])).rejects.toThrow('ENOENT')
  expect(idsOf(keeper.keys)).toEqual([next.id, before.id])
})
