import type { Database } from 'better-sqlite3'
import { createAuditLog } from './audit.ts'
import { backUpBeforeMigration } from './backup-before-migration.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { holdSettingSecrets, openSettingSecrets } from './config.secrets.ts'
import { createCursorCodec } from './cursor.ts'
import { damagedStore, refuseLostChanges, refuseLostStore } from './damaged-store.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { createEventLog } from './events.ts'
import { type Ids, randomIds } from './ids.ts'
import { type KeyKeeper, type Keychain, openKeyFile, openKeys } from './key-keeper.ts'
import { type Logger, createLogger, writeToStderr } from './logger.ts'
import { noteVersion, storeSecret } from './meta.store.ts'
import { migrations } from './migrations/index.ts'
import { migrate } from './migrations/migrate.ts'
import type { PasswordCost, Platform } from './platform.ts'
import { rememberBackupFolder } from './own-folders.ts'
import { continueRestore } from './restore-journal.ts'
import { createSecretBox } from './secret-box.ts'
import { createSettingSecretsStore } from './setting-secrets.store.ts'
import { StartupError } from './startup-error.ts'
import { countQuietCommits, keepHead } from './store-head.ts'
import { createStore, openDatabase } from './store.ts'
import { version } from './version.ts'

export interface PlatformParts {
  clock?: Clock
  ids?: Ids
  logger?: Logger
  passwordCost?: PasswordCost
}

/** Takes the data folder, opens and migrates the store. Throws a StartupError that says what to do. */
export function openPlatform(config: Config, parts: PlatformParts = {}): Platform {
  const folder = openDataFolder(config.dataDir)
  let opened: OpenedStore | undefined
  try {
    opened = openStore(config, folder, parts)
    return assemble(config, folder, openKeyFile(folder), opened)
  } catch (error) {
    letGo(folder, opened)
    throw error
  }
}

/** Likewise, with the keys of the system's keychain where there is one. */
export async function openPlatformWith(
  keychain: Keychain | null,
  config: Config,
  parts: PlatformParts = {},
): Promise<Platform> {
  const folder = openDataFolder(config.dataDir)
  let opened: OpenedStore | undefined
  try {
    opened = openStore(config, folder, parts)
    return assemble(config, folder, await openKeys(folder, keychain), opened)
  } catch (error) {
    letGo(folder, opened)
    throw error
  }
}

type OpenedStore = ReturnType<typeof openStore>

function letGo(folder: DataFolder, opened: OpenedStore | undefined): void {
  opened?.sqlite.close()
  folder.release()
}

/** Before the key is made: a key beside an empty store then always means that there was another store. */
function openStore(config: Config, folder: DataFolder, parts: PlatformParts) {
  const { clock = systemClock, ids = randomIds } = parts
  const logger = parts.logger ?? createLogger({ level: () => config.logLevel, clock, write: writeToStderr })
  rememberBackupFolder(config.dataDir, config.backup.folder)
  const restored = continueRestore(folder.path, (error) =>
    logger.error({ err: error }, 'A backup could not be restored: the store stays as it was'),
  )
  refuseLostStore(config, folder)
  const sqlite = openOrExplain(config, folder)
  refuseLostChanges(config, folder, sqlite, clock.now())
  const migrated = migrateOrExplain(sqlite, config, folder, clock)
  noteVersion(sqlite, version)
  if (migrated.to > migrated.from) logger.info({ ...migrated }, 'The schema was brought up to date')
  return { clock, ids, logger, restored, sqlite, migrated, passwordCost: parts.passwordCost }
}

function assemble(config: Config, folder: DataFolder, keys: KeyKeeper, opened: OpenedStore): Platform {
  const { clock, ids, logger, restored, sqlite, migrated, passwordCost } = opened
  for (const note of keys.notes) logger.warn({}, note)
  const secrets = createSecretBox(() => keys.keys)
  holdSettingSecrets(config, openSettingSecrets(createSettingSecretsStore(sqlite), secrets, logger))
  const head = keepHead(folder.head, sqlite, clock.iso, (error) =>
    logger.warn(
      { err: error, file: folder.head },
      'Can’t note how far the store has got. Lost changes would go unnoticed.',
    ),
  )
  const store = createStore(sqlite, createCursorCodec(storeSecret(sqlite, ids, 'cursor_secret')), logger, {
    commits: countQuietCommits(sqlite),
    noted: (quiet) => head.note({ quiet }),
  })
  const events = createEventLog(store, clock, logger)
  events.subscribe((batch) => head.note({ events: batch.at(-1)!.id }))
  const drain = new AbortController()
  return {
    config,
    clock,
    ids,
    passwordCost,
    store,
    secrets,
    keys,
    logger,
    version,
    events,
    audit: createAuditLog(store, clock, (audit, audit_hash) => head.note({ audit, audit_hash })),
    head: () => head.head,
    startedAt: clock.now(),
    schemaVersion: migrated.to,
    databaseFile: folder.database,
    restored,
    restarter: { current: null },
    listening: { url: null },
    endpointFile: folder.endpoint,
    draining: drain.signal,
    drain: () => drain.abort(),
    close() {
      drain.abort()
      store.close()
      head.close()
      folder.release()
    },
  }
}

function openOrExplain(config: Config, folder: DataFolder): Database {
  try {
    const sqlite = openDatabase(folder.database)
    // Reads the schema, which a damaged file gives away.
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return sqlite
  } catch (error) {
    throw damagedStore(config, folder.database, error)
  }
}

function migrateOrExplain(sqlite: Database, config: Config, folder: DataFolder, clock: Clock) {
  try {
    return migrate(sqlite, migrations, {
      file: folder.database,
      iso: clock.iso,
      backup: () => backUpBeforeMigration(config, folder.database, clock.now()),
    })
  } catch (error) {
    sqlite.close()
    throw error instanceof StartupError ? error : damagedStore(config, folder.database, error)
  }
}
