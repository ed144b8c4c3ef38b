import { isMessage, type OwnerMessage } from '../../process/messages.ts'

/** What we need of Electron's `safeStorage`. */
export interface SystemKeychain {
  isAsyncEncryptionAvailable(): Promise<boolean>
  encryptStringAsync(text: string): Promise<Buffer>
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>
  /** Linux only. */
  getSelectedStorageBackend(): string
}

/**
 * Answers the server, which keeps the keys to the secrets and has no keychain of its own. Keys pass over its channel alone:
 * arguments and environment can be read by others.
 */
export function keychainAnswers(keychain: SystemKeychain, platform: NodeJS.Platform) {
  async function unavailable(): Promise<string | null> {
    // Chromium then encrypts with a password that everybody knows.
    if (platform === 'linux' && keychain.getSelectedStorageBackend() === 'basic_text') return 'no keyring is running'
    return (await keychain.isAsyncEncryptionAvailable()) ? null : 'not available'
  }

  async function perform(action: unknown, text: string): Promise<{ text: string | null; renew?: boolean }> {
    if (action === 'look') return { text: await unavailable() }
    if (action === 'encrypt') return { text: (await keychain.encryptStringAsync(text)).toString('base64') }
    if (action !== 'decrypt') throw new Error(`Unknown keychain action ${String(action)}`)
    const { result, shouldReEncrypt } = await keychain.decryptStringAsync(Buffer.from(text, 'base64'))
    return { text: result, renew: shouldReEncrypt }
  }

  /** Null: the message is about something else. */
  return async (message: unknown): Promise<OwnerMessage | null> => {
    if (!isMessage(message, 'event', 'keychain')) return null
    const id = Number(message.id)
    try {
      return { type: 'keychain', id, ...(await perform(message.action, String(message.text))) }
    } catch (error) {
      return { type: 'keychain', id, text: null, message: error instanceof Error ? error.message : String(error) }
    }
  }
}
