import type { Migration } from './migration.ts'

/** Which datasets texts of tasks name, and what was last written by which task with which connectors. */
export const lineage: Migration = {
  version: 27,
  name: 'lineage',
  up(sqlite) {
    sqlite.exec(`
CREATE TABLE lineage_texts (
  -- '7/3': version 3 of task 7; otherwise the hash of an override.
  text_key TEXT PRIMARY KEY,
  -- What the server knew of the language then.
  edition INTEGER NOT NULL,
  -- JSON.
  lineage TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE lineage_runs (
  task_id INTEGER NOT NULL,
  -- 0 and '' for runs of their own.
  job_id INTEGER NOT NULL,
  task_key TEXT NOT NULL,
  -- JSON: slot to connector id.
  connector_mapping TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  ended_at TEXT NOT NULL,
  -- The newest that wrote something; null: none has.
  written_run_id INTEGER,
  written_text TEXT,
  written_at TEXT,
  rows INTEGER,
  PRIMARY KEY (task_id, job_id, task_key, connector_mapping)
) STRICT, WITHOUT ROWID;

INSERT INTO lineage_runs
SELECT task_id, coalesce(job_id, 0), coalesce(task_key, ''), coalesce(connector_mapping, '{}'), max(id), status,
  coalesce(completed_at, updated_at), NULL, NULL, NULL, NULL
FROM runs WHERE status IN ('success', 'completed', 'failed', 'cancelled') GROUP BY 1, 2, 3, 4;
UPDATE lineage_runs SET written_run_id = last.id, written_text = last.text, written_at = last.at, rows = last.item_count
FROM (
  SELECT max(id) AS id, task_id, coalesce(job_id, 0) AS job_id, coalesce(task_key, '') AS task_key,
    coalesce(connector_mapping, '{}') AS connector_mapping, coalesce(override_hash, task_id || '/' || task_version) AS text,
    coalesce(completed_at, updated_at) AS at, item_count
  FROM runs WHERE status IN ('success', 'completed') GROUP BY 2, 3, 4, 5
) AS last
WHERE last.task_id = lineage_runs.task_id AND last.job_id = lineage_runs.job_id AND last.task_key = lineage_runs.task_key
  AND last.connector_mapping = lineage_runs.connector_mapping;
`)
  },
}
