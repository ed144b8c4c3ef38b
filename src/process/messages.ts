/** What an owner says to a process that it started. */
export type OwnerMessage =
  | { type: 'drain' }
  | { type: 'launch-token'; id: number }
  /** With `message` it refused; `text` null for `look`: it can be used; `renew`: encrypt it again, the keychain's own key is another. */
  | { type: 'keychain'; id: number; text: string | null; renew?: boolean; message?: string }
  /** Somebody at this machine chose it in the tray. */
  | { type: 'pause-scheduler'; paused: boolean }
  /** Whether runs are given to executors: not while the app waits for those under way before it ends. */
  | { type: 'hand-out'; on: boolean }
  /** Answered at once by servers and executors, whatever else goes on, with `pong`: only one that hangs is silent. */
  | { type: 'ping' }
  /** The machine is about to sleep; `woke` follows, also when it does not sleep after all. For executors. */
  | { type: 'sleeps' }
  /** The machine slept: leases that could not be renewed meanwhile get their time again, and triggers look at the clock. */
  | { type: 'woke' }

/** How the server does, as the tray shows it. */
export interface ServerPulse {
  /** Runs under way and waiting. */
  running: number
  waiting: number
  scheduler_paused: boolean
  /** The next firing of any trigger, ISO 8601 in UTC. */
  next_fire_at: string | null
  /** The newest of each job and task in the last 24 hours, newest first, at most five; `path` leads there within the app. */
  failures: { title: string; at: string; path: string }[]
}

/**
 * What is to be told on the desktop. `kind`: of a notification channel, whose title says all; or a run or job run that failed, whose
 * title is the name of the task or job alone: main says the rest in its language.
 */
export interface ServerNotification {
  kind: 'channel' | 'failure'
  title: string
  body: string
  /** The same in other languages, by their codes; of channels only. */
  translations?: Readonly<Record<string, { title: string; body: string }>>
  path: string
}

/** What the server says to its owner. `token` is null when signing in from the desktop is turned off. */
export type ServerMessage =
  | { event: 'ready'; url: string; pid: number; version: string; executor_key: string }
  /** `restore`: a good backup that a damaged store can be replaced by, when the server is started with `--restore`. `accept`: what to give
   * `--accept-loss` to start without changes that were lost. */
  | { event: 'failed'; message: string; restore?: { name: string; created_at: string }; accept?: string }
  | { event: 'launch-token'; id: number; token: string | null; message?: string }
  | { event: 'keychain'; id: number; action: 'look' | 'encrypt' | 'decrypt'; text: string }
  /** When it changes, at most once a second. */
  | ({ event: 'pulse' } & ServerPulse)
  | ({ event: 'notification' } & ServerNotification)
  | { event: 'pong' }
  /** What follows may keep it from answering for as long as it works, up to the next `ready`. */
  | { event: 'starts-anew' }

/** True for an object whose `key` is the string `value`: the first look at a message that came over a channel. */
export function isMessage<K extends string, V extends string>(
  message: unknown,
  key: K,
  value: V,
): message is Record<K, V> & Record<string, unknown> {
  return typeof message === 'object' && message !== null && (message as Record<string, unknown>)[key] === value
}
