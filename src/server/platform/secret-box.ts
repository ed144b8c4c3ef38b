import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { StartupError } from './startup-error.ts'

/** Encrypts secrets at rest: AES-256-GCM, bound to the context (such as `connector:12:password`) that they belong to. */
export interface SecretBox {
  seal(plain: string, context: string): string
  /** Throws when the text was changed, or was sealed for another context or with another key. */
  open(sealed: string, context: string): string
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(sealed, context) {
      const [version, text] = sealed.split('.', 2)
      const bytes = Buffer.from(text ?? '', 'base64url')
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('Not a sealed secret')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}

/**
 * The key of the data folder, from its 0600 file; made when the store is new. A store that already has secrets cannot
 * work without its key, so a missing file stops the start rather than making every secret unreadable for good.
 */
export function loadSecretKey(file: string, storeIsNew: boolean): Buffer {
  if (!existsSync(file)) {
    if (!storeIsNew) {
      throw new StartupError(
        `${file} is missing: it is the key to the secrets in this data folder. Put it back from where the folder was copied.`,
      )
    }
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length !== KEY_BYTES) {
    throw new StartupError(`${file} does not hold a key (64 hexadecimal characters). Put the right file back.`)
  }
  chmodSync(file, 0o600)
  return key
}
