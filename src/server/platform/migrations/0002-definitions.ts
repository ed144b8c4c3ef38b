import type { Migration } from './migration.ts'

/** Tasks with their versions, and connectors. `search_text` is the lower-cased text that `q` looks through. */
export const definitions: Migration = {
  version: 2,
  name: 'definitions',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE tasks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        description TEXT,
        current_version INTEGER NOT NULL,
        connector_refs TEXT,
        tags TEXT NOT NULL DEFAULT '[]',
        archived INTEGER NOT NULL DEFAULT 0,
        search_text TEXT NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1,
        created_by INTEGER REFERENCES users (id),
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX tasks_by_archived ON tasks (archived, id);
      CREATE INDEX tasks_by_name ON tasks (archived, name, id);
      CREATE INDEX tasks_by_updated ON tasks (archived, updated_at, id);

      CREATE TABLE task_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task_id INTEGER NOT NULL REFERENCES tasks (id),
        version INTEGER NOT NULL,
        yaml_content TEXT NOT NULL,
        connector_refs TEXT,
        change_summary TEXT,
        created_by INTEGER REFERENCES users (id),
        created_at TEXT NOT NULL,
        UNIQUE (task_id, version)
      ) STRICT;

      CREATE TABLE connectors (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        description TEXT,
        config TEXT NOT NULL,
        sealed_secrets TEXT,
        secret_names TEXT NOT NULL DEFAULT '[]',
        environment TEXT NOT NULL DEFAULT 'development',
        archived INTEGER NOT NULL DEFAULT 0,
        last_test TEXT,
        last_test_at TEXT,
        search_text TEXT NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX connectors_by_archived ON connectors (archived, id);
      CREATE INDEX connectors_by_name ON connectors (archived, name, id);
      CREATE INDEX connectors_by_type ON connectors (type, archived, id);
      CREATE INDEX connectors_by_environment ON connectors (environment, archived, id);
    `)
  },
}
