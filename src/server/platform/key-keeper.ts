/**
 * Where the keys to the secrets are kept. Headless: `secret.key`, for its owner alone. On the desktop: the system's keychain
 * encrypts them, and what it gives lies in `secret.key.keychain`. A key that is not there is no end: a new one is made, nothing
 * that another key sealed is touched, and a key that is put back opens it again.
 */
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DataFolder } from './data-folder.ts'
import { removeUnfinished, syncFolder, writeDurably } from './durable-file.ts'
import { type KeyRing, isSameRing, keysText, newSecretKey, readKeys, ringOf } from './key-ring.ts'
import { StartupError } from './startup-error.ts'

/** The keychain of the system that we run on. */
export interface Keychain {
  /** Null: it can be used; otherwise why not. */
  unavailable(): Promise<string | null>
  encrypt(text: string): Promise<string>
  /** Rejects what it cannot decrypt on this computer or account any more. `renew`: it should be encrypted again. */
  decrypt(sealed: string): Promise<{ text: string; renew: boolean }>
}

/** Why a key may not be here. */
export type Missing =
  /** It is in the keychain of the desktop app, which this server cannot ask. */
  | 'in_keychain'
  /** The keychain does not give it. */
  | 'refused'

export interface KeyKeeper {
  readonly place: 'keychain' | 'file'
  readonly keys: KeyRing
  /** No key was found where one should be: this start made one. */
  readonly made: boolean
  readonly missing: Missing | null
  /** Of the file in which a key can be put back. */
  readonly file: string
  /** Lines for the log. */
  readonly notes: readonly string[]
  /** Resolves when they are on disk; only then they are used. */
  replace(keys: KeyRing): Promise<void>
}

type KeyFiles = Pick<DataFolder, 'secretKey' | 'keychainKey'>

/** The keys in the file; a new one where there is none. */
export function openKeyFile(files: KeyFiles, notes: string[] = [], missing?: Missing): KeyKeeper {
  const file = files.secretKey
  const found = readKeyFile(file)
  let keys = found ?? ([newSecretKey()] as const)
  if (!found) writeOrExplain(file, keysText(keys))
  return {
    place: 'file',
    get keys() {
      return keys
    },
    made: !found,
    missing: missing ?? (existsSync(files.keychainKey) ? 'in_keychain' : null),
    file,
    notes,
    async replace(next) {
      writeDurably(file, keysText(next))
      keys = next
    },
  }
}

/** The keys in the keychain where it can be used; those of a file are moved into it. */
export async function openKeys(files: KeyFiles, keychain: Keychain | null): Promise<KeyKeeper> {
  const why = keychain && (await keychain.unavailable())
  if (!keychain || why !== null) {
    const note = `The keychain of this system cannot be used (${why}): the key to the secrets is kept in ${files.secretKey}`
    return openKeyFile(files, keychain ? [note] : [], keychain && existsSync(files.keychainKey) ? 'refused' : undefined)
  }
  const notes: string[] = []
  const held = await readKeychain(files.keychainKey, keychain, notes)
  const inFile = readKeyFile(files.secretKey)
  const found = ringOf([...held.keys, ...(inFile ?? [])])
  const ring = found ?? ([newSecretKey()] as const)
  const before = ringOf(held.keys)
  const write = (next: KeyRing) => writeKeychain(files.keychainKey, keychain, next, held.refused)
  if (!before || held.renew || !isSameRing(before, ring)) {
    try {
      await write(ring)
    } catch (error) {
      notes.push(`The keychain did not take the key (${String(error)}): it is kept in ${files.secretKey}`)
      // Its own keys as well: what they sealed is to be read whether or not the keychain answers the next time.
      writeOrExplain(files.secretKey, keysText(ring))
      return openKeyFile(files, notes, held.refused.length > 0 ? 'refused' : undefined)
    }
  }
  if (inFile) {
    rmSync(files.secretKey)
    syncFolder(dirname(files.secretKey))
    notes.push(`The key of ${files.secretKey} was moved to the keychain of this system`)
  }
  let keys: KeyRing = ring
  return {
    place: 'keychain',
    get keys() {
      return keys
    },
    made: !found,
    missing: held.refused.length > 0 ? 'refused' : null,
    file: files.secretKey,
    notes,
    async replace(next) {
      await write(next)
      keys = next
    },
  }
}

function readKeyFile(file: string): KeyRing | undefined {
  removeUnfinished(file)
  if (!existsSync(file)) return undefined
  const keys = readKeys(readFileSync(file, 'utf8'))
  if (!keys) {
    throw new StartupError(
      `${file} does not hold keys (64 hexadecimal characters a line). Put the right file back, or move it away: then secrets have to be entered again.`,
    )
  }
  chmodSync(file, 0o600)
  return ringOf(keys)
}

/** Line by line what the keychain once encrypted: what it refuses today stays, as it may give it again. */
async function readKeychain(file: string, keychain: Keychain, notes: string[]) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const refused: string[] = []
  const found: KeyRing[number][] = []
  let renew = false
  for (const line of lines.filter((one) => one.trim() !== '')) {
    try {
      const decrypted = await keychain.decrypt(line)
      const keys = readKeys(decrypted.text)
      if (!keys) throw new Error('no key was in it')
      // Several lines become one.
      renew ||= decrypted.renew || found.length > 0
      found.push(...keys)
    } catch (error) {
      refused.push(line)
      notes.push(`The keychain of this system does not give the key of ${file} (${String(error)})`)
    }
  }
  return { keys: found, refused, renew }
}

/** Read back before anything relies on it. */
async function writeKeychain(file: string, keychain: Keychain, keys: KeyRing, refused: readonly string[]) {
  const text = keysText(keys)
  const line = await keychain.encrypt(text)
  if ((await keychain.decrypt(line)).text !== text) throw new Error('The keychain gives back something else')
  writeDurably(file, `${[line, ...refused].join('\n')}\n`)
  if (readFileSync(file, 'utf8').split('\n', 1)[0] !== line) throw new Error(`${file} holds something else`)
}

function writeOrExplain(file: string, text: string): void {
  try {
    writeDurably(file, text)
  } catch (error) {
    throw new StartupError(`${file}, the key to the secrets, cannot be written (${String(error)}).`, error)
  }
}
