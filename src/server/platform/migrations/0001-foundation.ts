import type { Migration } from './migration.ts'

/** Accounts, the event log, idempotency and the store's own facts. */
export const foundation: Migration = {
  version: 1,
  name: 'foundation',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE store_meta (
        key TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL
      ) STRICT;

      CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        username TEXT NOT NULL,
        username_key TEXT NOT NULL UNIQUE,
        display_name TEXT,
        email TEXT,
        role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'superadmin')),
        password_hash TEXT,
        disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
        totp_enabled INTEGER NOT NULL DEFAULT 0 CHECK (totp_enabled IN (0, 1)),
        last_login_at TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT
      ) STRICT;

      CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        token_hash TEXT NOT NULL UNIQUE,
        pending INTEGER NOT NULL CHECK (pending IN (0, 1)),
        via TEXT NOT NULL CHECK (via IN ('password', 'bootstrap', 'launch')),
        address TEXT,
        user_agent TEXT,
        created_at TEXT NOT NULL,
        last_seen_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX sessions_user ON sessions (user_id);
      CREATE INDEX sessions_expiry ON sessions (expires_at);

      CREATE TABLE api_keys (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        prefix TEXT NOT NULL,
        key_hash TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'superadmin')),
        scopes TEXT NOT NULL,
        expires_at TEXT,
        last_used_at TEXT,
        revoked_at TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT
      ) STRICT;
      CREATE INDEX api_keys_user ON api_keys (user_id, id);

      CREATE TABLE login_failures (
        subject TEXT PRIMARY KEY NOT NULL,
        failures INTEGER NOT NULL,
        window_started_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX login_failures_window ON login_failures (window_started_at);

      CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        type TEXT NOT NULL,
        at TEXT NOT NULL,
        entity_id INTEGER NOT NULL,
        data TEXT NOT NULL
      ) STRICT;

      CREATE TABLE idempotency_keys (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        caller TEXT NOT NULL,
        operation TEXT NOT NULL,
        key TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        status INTEGER NOT NULL,
        etag TEXT,
        body TEXT NOT NULL,
        created_at TEXT NOT NULL,
        UNIQUE (caller, operation, key)
      ) STRICT;
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
    `)
  },
}
