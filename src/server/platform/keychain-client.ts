import { type OwnerMessage, type ServerMessage, isMessage } from '../../process/messages.ts'
import type { ParentChannel } from '../../process/parent.ts'
import type { Keychain } from './key-keeper.ts'

/** The keychain as our owner, Electron's main process, reaches it. The person may be asked first: it takes what it takes. */
export function keychainOf(channel: Pick<ParentChannel, 'send' | 'onMessage' | 'onDisconnect'>): Keychain {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let lastId = 0
  channel.onMessage((message) => {
    if (!isMessage(message, 'type', 'keychain')) return
    // Of our own owner, who answers what he was asked.
    const answer = message as OwnerMessage & { type: 'keychain' }
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (answer.message === undefined) asked?.resolve(answer)
    else asked?.reject(new Error(answer.message))
  })
  channel.onDisconnect(() => {
    for (const { reject } of waiting.values()) reject(new Error('The desktop app has ended'))
    waiting.clear()
  })
  const ask = (action: KeychainRequest['action'], text = '') =>
    new Promise<Answer>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      if (channel.send({ event: 'keychain', id, action, text } satisfies ServerMessage)) return
      waiting.delete(id)
      reject(new Error('The desktop app has ended'))
    })
  return {
    unavailable: async () => (await ask('look')).text,
    encrypt: async (text) => (await ask('encrypt', text)).text ?? '',
    async decrypt(sealed) {
      const { text, renew = false } = await ask('decrypt', sealed)
      return { text: text ?? '', renew }
    },
  }
}

type Answer = Pick<OwnerMessage & { type: 'keychain' }, 'text' | 'renew'>
type KeychainRequest = ServerMessage & { event: 'keychain' }
