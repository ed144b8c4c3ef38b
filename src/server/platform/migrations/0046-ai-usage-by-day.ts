import type { Migration } from './migration.ts'

/**
 * What AI providers were asked, by day, model, and user. Of calls before, neither host and model nor the tokens of request and answer apart
 * are known. And references that were deleted stay until their parts are removed, in pieces.
 */
export const aiUsageByDay: Migration = {
  version: 46,
  name: 'ai usage by day, deleted references',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE ai_usage_by_day (
        day TEXT NOT NULL,
        host TEXT NOT NULL,
        model TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        failed_calls INTEGER NOT NULL,
        estimated_calls INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        PRIMARY KEY (day, host, model, user_id)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO ai_usage_by_day
        SELECT substr(at, 1, 10), '', '', user_id, count(*), 0, 0, sum(tokens), 0 FROM ai_usage GROUP BY 1, 4;
      DROP TABLE ai_usage;
      ALTER TABLE ai_references ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
    `)
  },
}
