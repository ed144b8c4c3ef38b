import { type OwnerMessage, type ServerMessage, isMessage } from '../../process/messages.ts'
import type { ParentChannel } from '../../process/parent.ts'
import type { Keychain } from './key-keeper.ts'

/** The keychain as our owner, Electron's main process, reaches it. The person may be asked first: it takes what it takes. */
export function keychainOf(channel: Pick<ParentChannel, 'send' | 'onMessage' | 'onDisconnect'>): Keychain {
  const waiting = new Map<number, { resolve(text: string | null): void; reject(error: Error): void }>()
  let lastId = 0
  channel.onMessage((message) => {
    if (!isMessage(message, 'type', 'keychain')) return
    // Of our own owner, who answers what he was asked.
    const { id, text, message: problem } = message as OwnerMessage & { type: 'keychain' }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (problem === undefined) asked?.resolve(text)
    else asked?.reject(new Error(problem))
  })
  channel.onDisconnect(() => {
    for (const { reject } of waiting.values()) reject(new Error('The desktop app has ended'))
    waiting.clear()
  })
  const ask = (action: KeychainRequest['action'], text = '') =>
    new Promise<string | null>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      if (channel.send({ event: 'keychain', id, action, text } satisfies ServerMessage)) return
      waiting.delete(id)
      reject(new Error('The desktop app has ended'))
    })
  return {
    unavailable: () => ask('look'),
    encrypt: async (text) => (await ask('encrypt', text)) ?? '',
    decrypt: async (sealed) => (await ask('decrypt', sealed)) ?? '',
  }
}

type KeychainRequest = ServerMessage & { event: 'keychain' }
