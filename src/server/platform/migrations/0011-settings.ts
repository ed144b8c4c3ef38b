import type { Migration } from './migration.ts'

/** Secret settings, how the control plane presents itself, and what retention needs to find its work. */
export const settings: Migration = {
  version: 11,
  name: 'settings',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE setting_secrets (
        key TEXT PRIMARY KEY NOT NULL,
        sealed_value TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;

      -- One row; null is the default.
      CREATE TABLE branding (
        only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
        product_name TEXT,
        logo_data_url TEXT,
        primary_color TEXT,
        login_message TEXT,
        support_url TEXT,
        revision INTEGER NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;

      -- Set when the removal of a job run begins: with many runs it takes several transactions, and nobody may see half of it.
      ALTER TABLE job_runs ADD COLUMN removed_at TEXT;
      CREATE INDEX job_runs_removed ON job_runs (id) WHERE removed_at IS NOT NULL;
      CREATE INDEX job_runs_by_rerun ON job_runs (rerun_of) WHERE rerun_of IS NOT NULL;
      CREATE INDEX job_runs_by_snapshot ON job_runs (snapshot_id);
      -- Set when its log and rejected rows were removed and it stays.
      ALTER TABLE runs ADD COLUMN log_removed_at TEXT;
      CREATE INDEX runs_with_details ON runs (created_at, id) WHERE log_lines > 0 OR rejects_stored > 0;
      CREATE INDEX runs_alone ON runs (created_at, id) WHERE job_run_id IS NULL;

      -- Retention removes many runs: the counts that are empty then are found by their key.
      DROP TRIGGER runs_count_deleted;
      CREATE TRIGGER runs_count_deleted AFTER DELETE ON runs
      WHEN old.status IN ('success', 'completed', 'failed', 'cancelled')
      BEGIN
        ${counted('0', 0, 86_400)}
        ${counted('0', 1, 60)}
        ${counted('old.task_id', 0, 86_400)}
        ${counted('old.task_id', 1, 60)}
      END;

      -- Bytes of all logs, so that nobody has to add them up.
      CREATE TABLE log_size (
        only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
        bytes INTEGER NOT NULL
      ) STRICT;
      INSERT INTO log_size (only_one, bytes) SELECT 1, coalesce(sum(length(content)), 0) FROM run_log_chunks;
      CREATE TRIGGER log_size_grows AFTER INSERT ON run_log_chunks
      BEGIN UPDATE log_size SET bytes = bytes + length(new.content) WHERE only_one = 1; END;
      CREATE TRIGGER log_size_shrinks AFTER DELETE ON run_log_chunks
      BEGIN UPDATE log_size SET bytes = bytes - length(old.content) WHERE only_one = 1; END;
    `)
  },
}

/** One run less: its row is written down, and goes when nothing is left of it. */
const counted = (task: string, grain: number, seconds: number) => {
  const row = `task_id = ${task} AND grain = ${grain} AND bucket = unixepoch(old.created_at) / ${seconds}
          AND status = old.status AND trigger_type = old.trigger_type`
  return `UPDATE run_counts SET n = n - 1 WHERE ${row};
        DELETE FROM run_counts WHERE ${row} AND n = 0;`
}
