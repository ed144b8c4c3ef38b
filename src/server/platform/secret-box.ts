import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing, SecretKey } from './key-ring.ts'

/** Encrypts secrets at rest: AES-256-GCM, bound to the context (such as `user:12:totp`) that they belong to. */
export interface SecretBox {
  seal(plain: string, context: string): string
  /** Throws UnreadableSecret when the key is not here, or the text was changed or sealed for another context. */
  open(sealed: string, context: string): string
  /** Whether `open` would give it. */
  opens(sealed: string, context: string): boolean
  /** Sealed with the key that seals now. */
  isCurrent(sealed: string): boolean
}

/** It has to be given again, or its key put back. */
export class UnreadableSecret extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableSecret'
  }
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** `v2.<id of the key>.<nonce, text, tag>`. `v1.<…>` was written before keys had ids: any of them may open it. */
interface Sealed {
  keyId: string | null
  bytes: Buffer
}

/** `ring` gives the keys as they are at the moment. */
export function createSecretBox(ring: () => KeyRing): SecretBox {
  function open(text: string, context: string): string {
    const { keyId, bytes } = read(text)
    const keys = ring().filter(({ id }) => keyId === null || id === keyId)
    if (keys.length === 0) throw new UnreadableSecret(`The key ${keyId} is not here`)
    let reason: unknown
    for (const key of keys) {
      try {
        return openWith(key, bytes, context)
      } catch (error) {
        // Of another key, of another context, or changed: the tag does not say which.
        reason = error
      }
    }
    throw new UnreadableSecret('A sealed secret was changed, or it is of another place or key', reason)
  }
  return {
    seal(plain, context) {
      const [key] = ring()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v2.${key.id}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open,
    opens(sealed, context) {
      try {
        open(sealed, context)
        return true
      } catch (error) {
        if (error instanceof UnreadableSecret) return false
        throw error
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`v2.${ring()[0].id}.`),
  }
}

function read(text: string): Sealed {
  const [, first, second] = /^v1\.([\w-]+)$/.exec(text) ?? /^v2\.([0-9a-f]+)\.([\w-]+)$/.exec(text) ?? []
  const bytes = Buffer.from(second ?? first ?? '', 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new UnreadableSecret('Not a sealed secret')
  return { keyId: second === undefined ? null : (first ?? null), bytes }
}

function openWith({ bytes: key }: SecretKey, bytes: Buffer, context: string): string {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}
