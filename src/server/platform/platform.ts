import type { AuditLog } from './audit.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { EventLog } from './events.ts'
import type { Ids } from './ids.ts'
import type { Logger } from './logger.ts'
import type { KeyKeeper } from './key-keeper.ts'
import type { Restore } from './restore-journal.ts'
import type { StoreHead } from './store-head.ts'
import type { SecretBox } from './secret-box.ts'
import type { Store } from './store.ts'

/** Starts the server anew in this process. */
export interface Restarter {
  /** Rejects with a StartupError when the settings as they are written would not let it start. */
  check(): Promise<void>
  /** Returns at once: answers that are under way are given first. */
  restart(reason: string): void
}

/** What hashing a password takes, by argon2id: KiB of memory, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
}

/** What every feature stands on. */
export interface Platform {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  /** Another cost than the one that protects: for tests that hash by the hundred. */
  readonly passwordCost: PasswordCost | undefined
  readonly store: Store
  readonly events: EventLog
  readonly audit: AuditLog
  readonly secrets: SecretBox
  readonly keys: KeyKeeper
  readonly logger: Logger
  /** Of the product. */
  readonly version: string
  readonly startedAt: Date
  /** Number of the newest migration that is applied. */
  readonly schemaVersion: number
  /** Path of the database file. */
  readonly databaseFile: string
  /** This start has gone back to a backup. */
  readonly restored: Restore | null
  /** Set by the process that serves; null where nobody would start the server again. */
  readonly restarter: { current: Restarter | null }
  /** How far the store has got, as it is noted beside it. */
  readonly head: () => StoreHead
  /** `http://host:port` for programs on this computer; null until the server listens. */
  readonly listening: { url: string | null }
  /** Path of `endpoint.json`. */
  readonly endpointFile: string
  /** Aborted when the server begins to end: long polls and streams answer and go. */
  readonly draining: AbortSignal
  drain(): void
  /** Closes the store and lets go of the data folder. */
  close(): void
}
