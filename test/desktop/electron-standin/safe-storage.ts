// `safeStorage` as Electron has it on Linux: a key in the keyring of the login (here the file that ELECTRON_STANDIN_KEYRING
// names) encrypts; without a keyring the backend is `basic_text` and encryption is not available. Only the async calls are
// here: the others are deprecated.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { app } from './app.ts'

const keyring = process.env.ELECTRON_STANDIN_KEYRING
/** Chromium marks with it what it encrypted. */
const PREFIX = Buffer.from('v11')

function keyOfLogin(): Buffer {
  if (!app.isReady()) throw new Error('safeStorage cannot be used before app is ready.')
  if (!keyring) throw new Error('Encryption is not available.')
  if (!existsSync(keyring)) writeFileSync(keyring, randomBytes(32), { mode: 0o600 })
  return readFileSync(keyring)
}

export const safeStorage = {
  getSelectedStorageBackend(): string {
    if (!app.isReady()) return 'unknown'
    return keyring ? 'gnome_libsecret' : 'basic_text'
  },
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return Promise.resolve(app.isReady() && keyring !== undefined)
  },
  async encryptStringAsync(text: string): Promise<Buffer> {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', await Promise.resolve(keyOfLogin()), nonce)
    return Buffer.concat([PREFIX, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  },
  async decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    const key = await Promise.resolve(keyOfLogin())
    try {
      if (!encrypted.subarray(0, 3).equals(PREFIX)) throw new Error('not encrypted')
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(3, 15)).setAuthTag(
        encrypted.subarray(-16),
      )
      const result = Buffer.concat([decipher.update(encrypted.subarray(15, -16)), decipher.final()]).toString('utf8')
      return { result, shouldReEncrypt: false }
    } catch {
      // Electron says no more than that.
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
    }
  },
}
