import type { Database } from 'better-sqlite3'
import { StartupError } from '../startup-error.ts'
import type { Migration } from './migration.ts'

export interface MigrateOptions {
  file: string
  iso: () => string
  /** Called before the first step on a store that has data; returns the path of the backup. */
  backup: (fromVersion: number) => string
}

export interface Migrated {
  from: number
  to: number
  backup: string | null
}

/** Version of the newest applied migration; 0 for a new store. */
export function schemaVersion(sqlite: Database): number {
  // A pragma in `simple` form gives its one value.
  return sqlite.pragma('user_version', { simple: true }) as number
}

/**
 * Brings the schema up to date. Each step and its record are one transaction: after a crash the schema is the old or the
 * new one. A schema newer than ours is refused, as we would damage what we do not know.
 */
export function migrate(sqlite: Database, migrations: readonly Migration[], options: MigrateOptions): Migrated {
  const from = schemaVersion(sqlite)
  const to = migrations.at(-1)?.version ?? 0
  if (from > to) {
    throw new StartupError(
      `${options.file} was written by a newer Headgate (schema ${from}, this one knows ${to}). Update Headgate, or use another data folder with --data-dir.`,
    )
  }
  const due = migrations.filter(({ version }) => version > from)
  const backup = due.length > 0 && from > 0 ? options.backup(from) : null
  for (const migration of due) apply(sqlite, migration, options, backup)
  return { from, to, backup }
}

function apply(sqlite: Database, migration: Migration, options: MigrateOptions, backup: string | null): void {
  const { version, name } = migration
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    sqlite.exec(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT',
    )
    migration.up(sqlite)
    sqlite
      .prepare('INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)')
      .run(version, name, options.iso())
    sqlite.pragma(`user_version = ${version}`)
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    const kept = backup ? ` A backup made just before is ${backup}.` : ''
    throw new StartupError(
      `${options.file}: the schema could not be brought to version ${version} (${name}): ${String(error)}. Nothing was changed by that step.${kept}`,
      error,
    )
  }
}
