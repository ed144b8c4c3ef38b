import { expect, test } from 'vitest'
import { keychainAnswers, type SystemKeychain } from '../../src/main/security/keychain.ts'

/** A keychain that writes backwards. */
const keychain = (change: Partial<SystemKeychain> = {}): SystemKeychain => ({
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
  encryptStringAsync: (text) => Promise.resolve(Buffer.from([...text].toReversed().join(''))),
  decryptStringAsync: (bytes) =>
    Promise.resolve({ result: [...bytes.toString()].toReversed().join(''), shouldReEncrypt: true }),
  getSelectedStorageBackend: () => 'gnome_libsecret',
  ...change,
})
const ask = (action: string, text = '') => ({ event: 'keychain', id: 3, action, text })

test('text is encrypted and decrypted; that it should be encrypted again is said', async () => {
  const answer = keychainAnswers(keychain(), 'linux')
  const encrypted = await answer(ask('encrypt', 'key'))
  expect(encrypted).toEqual({ type: 'keychain', id: 3, text: Buffer.from('yek').toString('base64') })
  const decrypted = await answer(ask('decrypt', Buffer.from('yek').toString('base64')))
  expect(decrypted).toEqual({ type: 'keychain', id: 3, text: 'key', renew: true })
})

test('a keyring that protects nothing, or is not there, is said to be of no use', async () => {
  const basic = keychain({ getSelectedStorageBackend: () => 'basic_text' })
  expect(await keychainAnswers(basic, 'linux')(ask('look'))).toMatchObject({ text: 'no keyring is running' })
  // Only Linux knows backends.
  expect(await keychainAnswers(basic, 'darwin')(ask('look'))).toMatchObject({ text: null })
  const none = keychain({ isAsyncEncryptionAvailable: () => Promise.resolve(false) })
  expect(await keychainAnswers(none, 'win32')(ask('look'))).toMatchObject({ text: 'not available' })
})

test('a keychain that refuses says why, and other messages are left alone', async () => {
  const refusing = keychain({ decryptStringAsync: () => Promise.reject(new Error('locked')) })
  const answer = keychainAnswers(refusing, 'linux')
  expect(await answer(ask('decrypt', 'abc'))).toEqual({ type: 'keychain', id: 3, text: null, message: 'locked' })
  expect(await answer(ask('sing'))).toMatchObject({ message: 'Unknown keychain action sing' })
  expect(await answer({ event: 'launch-token', id: 3 })).toBeNull()
})
