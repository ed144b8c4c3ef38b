/** What an owner says to a process that it started. */
export type OwnerMessage =
  | { type: 'drain' }
  | { type: 'launch-token'; id: number }
  /** With `message` it refused; `text` null for `look`: it can be used; `renew`: encrypt it again, the keychain's own key is another. */
  | { type: 'keychain'; id: number; text: string | null; renew?: boolean; message?: string }

/** What the server says to its owner. `token` is null when signing in from the desktop is turned off. */
export type ServerMessage =
  | { event: 'ready'; url: string; pid: number; version: string; executor_key: string }
  /** `restore`: a good backup that a damaged store can be replaced by, when the server is started with `--restore`. */
  | { event: 'failed'; message: string; restore?: { name: string; created_at: string } }
  | { event: 'launch-token'; id: number; token: string | null; message?: string }
  | { event: 'keychain'; id: number; action: 'look' | 'encrypt' | 'decrypt'; text: string }

/** True for an object whose `key` is the string `value`: the first look at a message that came over a channel. */
export function isMessage<K extends string, V extends string>(
  message: unknown,
  key: K,
  value: V,
): message is Record<K, V> & Record<string, unknown> {
  return typeof message === 'object' && message !== null && (message as Record<string, unknown>)[key] === value
}
