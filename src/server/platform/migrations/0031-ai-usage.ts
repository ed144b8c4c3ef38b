import type { Migration } from './migration.ts'

/** What was asked of AI providers: counts and digests, no texts. */
export const aiUsage: Migration = {
  version: 31,
  name: 'ai usage',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE ai_usage (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        tokens INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX ai_usage_by_time ON ai_usage (at);
    `)
  },
}
