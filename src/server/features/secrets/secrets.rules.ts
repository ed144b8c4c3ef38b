import type { Missing } from '../../platform/key-keeper.ts'

/** Where the key to lost secrets may be. Whatever it is, entering them again heals it. */
export function remedyOf(missing: Missing | null, file: string): string {
  switch (missing) {
    case 'in_keychain':
      return 'Their key is in the keychain of the desktop app: start the desktop app on this data folder, or enter them again.'
    case 'refused':
      return 'The keychain of this system does not give their key: unlock it or sign in to the account that had it and start Headgate again, or enter them again.'
    case null:
      return `Put the key back on its own line in ${file} and start Headgate again, or enter them again.`
  }
}
