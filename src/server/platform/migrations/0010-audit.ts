import type { Migration } from './migration.ts'

/** Records of what was done. Each hash covers the record and the hash before it; the store itself refuses changes. */
export const audit: Migration = {
  version: 10,
  name: 'audit',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE audit_records (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        actor TEXT NOT NULL CHECK (actor IN ('session', 'api_key', 'anonymous', 'system')),
        user_id INTEGER,
        username TEXT NOT NULL,
        role TEXT,
        session_id INTEGER,
        api_key_id INTEGER,
        address TEXT,
        user_agent TEXT,
        operation TEXT NOT NULL,
        method TEXT,
        path TEXT,
        entity TEXT,
        entity_id INTEGER,
        entity_name TEXT,
        outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'refused', 'failed')),
        status INTEGER NOT NULL,
        error TEXT,
        before_digest TEXT,
        after_digest TEXT,
        request_id TEXT,
        hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX audit_records_by_user ON audit_records (user_id, id);
      CREATE INDEX audit_records_by_operation ON audit_records (operation, id);
      CREATE INDEX audit_records_by_entity ON audit_records (entity, entity_id, id);
      -- Without it those of one kind are sorted for each page.
      CREATE INDEX audit_records_by_kind ON audit_records (entity, id);
      CREATE INDEX audit_records_by_outcome ON audit_records (outcome, id);
      CREATE INDEX audit_records_by_time ON audit_records (at, id);

      CREATE TRIGGER audit_records_never_change BEFORE UPDATE ON audit_records
      BEGIN SELECT RAISE(ABORT, 'Audit records never change'); END;
      CREATE TRIGGER audit_records_never_go BEFORE DELETE ON audit_records
      BEGIN SELECT RAISE(ABORT, 'Audit records are never removed'); END;
    `)
  },
}
