import { type Message, msg } from '../../../contract/messages.ts'
import type { Missing } from '../../platform/key-keeper.ts'

/** Where the key to lost secrets may be. Whatever it is, entering them again heals it. */
export function remedyOf(missing: Missing | null, file: string): Message {
  switch (missing) {
    case 'in_keychain':
      return msg('key_in_keychain')
    case 'refused':
      return msg('key_refused')
    case null:
      return msg('key_in_file', { file })
  }
}
