/** What the steps to add an executor say of the server as it is. */
import type { Executor } from '../../../contract/executors.ts'
import type { ServerConfig } from '../../../contract/server-config.ts'

/** `pending`: entered, and used after a restart. */
export type KeyState = 'set' | 'pending' | 'random'

/** Whether the server’s key is one that another executor can know; null: not known. */
export function keyStateOf(config: Pick<ServerConfig, 'settings'> | undefined): KeyState | null {
  const setting = config?.settings.find(({ key }) => key === 'executors.key')
  if (!setting) return null
  if (setting.restart_pending) return 'pending'
  return setting.source === 'default' ? 'random' : 'set'
}

/** A key that nobody guesses, without characters that a terminal reads as its own. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Executors that are online and were not. */
export function connectedSince(before: readonly Executor[], now: readonly Executor[]): readonly Executor[] {
  const online = new Set(before.filter(({ status }) => status === 'online').map(({ name }) => name))
  return now.filter(({ name, status }) => status === 'online' && !online.has(name))
}
