import type { Migration } from './migration.ts'

/** Second factors, passwords that others have given, users that are gone. */
export const people: Migration = {
  version: 9,
  name: 'people',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE users ADD COLUMN password_change_required INTEGER NOT NULL DEFAULT 0 CHECK (password_change_required IN (0, 1));
      -- The secret of the authenticator app, encrypted; while totp_enabled is 0 its enrolment is not verified yet.
      ALTER TABLE users ADD COLUMN totp_sealed TEXT;
      -- Time step of the last code that was accepted: it and those before it are used up.
      ALTER TABLE users ADD COLUMN totp_last_step INTEGER;
      -- Whoever is removed stays as the name of what he made; username_key is free again.
      ALTER TABLE users ADD COLUMN deleted_at TEXT;
      ALTER TABLE users ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
      -- Lower-cased text that searches look through; brought up to date below, as SQLite lowers ASCII only.
      ALTER TABLE users ADD COLUMN search_text TEXT NOT NULL DEFAULT '';

      -- Of the desktop's own window: begun by it, or the one that unlocked it.
      ALTER TABLE sessions ADD COLUMN desktop INTEGER NOT NULL DEFAULT 0 CHECK (desktop IN (0, 1));
      UPDATE sessions SET desktop = 1 WHERE via = 'launch';

      CREATE TABLE recovery_codes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- SHA-256: the codes are random and long.
        code_hash TEXT NOT NULL,
        used_at TEXT,
        created_at TEXT NOT NULL,
        UNIQUE (user_id, code_hash)
      ) STRICT;
    `)
    const known = sqlite.prepare<[], { id: number; text: string }>(
      "SELECT id, username || char(10) || coalesce(display_name, '') || char(10) || coalesce(email, '') AS text FROM users",
    )
    const fill = sqlite.prepare<[string, number]>('UPDATE users SET search_text = ? WHERE id = ?')
    for (const { id, text } of known.all()) fill.run(text.toLowerCase(), id)
  },
}
