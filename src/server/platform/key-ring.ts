import { createHash, randomBytes } from 'node:crypto'

/** One of the keys to the secrets. */
export interface SecretKey {
  /** Of the key's own bytes, so that the same key has the same id wherever it is put. */
  readonly id: string
  readonly bytes: Buffer
  /** On its way out: what it sealed is being sealed anew. */
  readonly retiring: boolean
}

/** The first one seals, all of them open. Never empty. */
export type KeyRing = readonly [SecretKey, ...SecretKey[]]

const KEY_BYTES = 32
const RETIRING = 'retiring'

export function secretKey(bytes: Buffer, retiring = false): SecretKey {
  const id = createHash('sha256').update('headgate key id').update(bytes).digest('hex').slice(0, 12)
  return { id, bytes, retiring }
}

export const newSecretKey = (): SecretKey => secretKey(randomBytes(KEY_BYTES))

/** A key a line, in hexadecimal; `retiring` may follow. Undefined when that is not what it is. */
export function readKeys(text: string): SecretKey[] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const keys: SecretKey[] = []
  for (const line of lines.filter((one) => one !== '')) {
    const [, hex, mark] = /^([0-9a-f]{64})(?:\s+(\w+))?$/i.exec(line) ?? []
    if (!hex || (mark !== undefined && mark !== RETIRING)) return undefined
    keys.push(secretKey(Buffer.from(hex, 'hex'), mark === RETIRING))
  }
  return keys.length > 0 ? keys : undefined
}

export function keysText(keys: KeyRing): string {
  return keys.map(({ bytes, retiring }) => `${bytes.toString('hex')}${retiring ? ` ${RETIRING}` : ''}\n`).join('')
}

/** Each key once, as it stands first; undefined when there is none. */
export function ringOf(keys: readonly SecretKey[]): KeyRing | undefined {
  const [first, ...others] = keys.filter(({ id }, at) => keys.findIndex((key) => key.id === id) === at)
  // Whatever the file says: the one that seals cannot be on its way out.
  return first && [{ ...first, retiring: false }, ...others]
}

export const isSameRing = (a: KeyRing, b: KeyRing) => keysText(a) === keysText(b)
