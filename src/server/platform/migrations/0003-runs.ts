import type { Migration } from './migration.ts'

/**
 * Runs with their attempts, steps, rejects and log, the executors that work on them, and the counters behind `total`.
 *
 * Two rules are kept by the database itself, so that no code path can forget them: a run that has ended never changes its
 * status again, and `run_counts` always equals what a COUNT(*) over the ended runs would give.
 */
export const runs: Migration = {
  version: 3,
  name: 'runs',
  up(sqlite) {
    sqlite.exec(executorTable)
    sqlite.exec(runTable)
    sqlite.exec(runDetails)
    sqlite.exec(counters)
  },
}

const executorTable = `
CREATE TABLE executors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  version TEXT NOT NULL,
  protocol INTEGER NOT NULL,
  instance TEXT NOT NULL,
  credential_hash TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('online', 'draining', 'lost', 'offline')),
  drain_requested INTEGER NOT NULL DEFAULT 0,
  capabilities TEXT NOT NULL,
  labels TEXT NOT NULL,
  slots INTEGER NOT NULL,
  address TEXT,
  last_heartbeat_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
) STRICT;
`

const runTable = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  task_name TEXT NOT NULL,
  task_version INTEGER NOT NULL,
  job_run_id INTEGER,
  trigger_type TEXT NOT NULL CHECK (trigger_type IN ('manual', 'cron', 'api')),
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'success', 'completed', 'failed', 'cancelled')),
  arguments TEXT,
  connector_mapping TEXT,
  logical_date TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,
  attempt INTEGER NOT NULL DEFAULT 1,
  max_attempts INTEGER NOT NULL DEFAULT 1,
  retry_delay_ms INTEGER NOT NULL DEFAULT 0,
  retry_backoff REAL NOT NULL DEFAULT 1,
  timeout_ms INTEGER,
  ready_at TEXT NOT NULL,
  executor_id INTEGER REFERENCES executors (id),
  executor_name TEXT,
  lease_token TEXT,
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  started_at TEXT,
  completed_at TEXT,
  duration_ms INTEGER,
  item_count INTEGER,
  reject_count INTEGER,
  error_message TEXT,
  error_code TEXT,
  metrics_summary TEXT,
  outputs TEXT,
  log_lines INTEGER NOT NULL DEFAULT 0,
  log_seq INTEGER NOT NULL DEFAULT 0,
  reject_seq INTEGER NOT NULL DEFAULT 0,
  rejects_stored INTEGER NOT NULL DEFAULT 0,
  retried_from INTEGER,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Lists are merged from one range a combination of these (see run-list.store.ts), so three indexes serve every filter.
CREATE INDEX runs_by_task ON runs (task_id, status, trigger_type, created_at);
CREATE INDEX runs_by_status ON runs (status, trigger_type, created_at);
CREATE INDEX runs_by_created ON runs (created_at);
CREATE INDEX runs_by_job_run ON runs (job_run_id, created_at) WHERE job_run_id IS NOT NULL;
-- What is next, in claim order; and who works on what.
CREATE INDEX runs_ready ON runs (priority DESC, ready_at, id) WHERE status = 'pending';
CREATE INDEX runs_waiting ON runs (ready_at) WHERE status = 'pending';
CREATE INDEX runs_running ON runs (executor_id) WHERE status = 'running';

CREATE TRIGGER runs_ended_stay BEFORE UPDATE OF status ON runs
WHEN old.status IN ('success', 'completed', 'failed', 'cancelled') AND new.status <> old.status
BEGIN
  SELECT RAISE(ABORT, 'a run that has ended never changes its status');
END;
`

const runDetails = `
-- Attempts that ended and were followed by another one. The last attempt is told by the run itself.
CREATE TABLE run_attempts (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  lease_token TEXT,
  executor_id INTEGER,
  executor_name TEXT,
  started_at TEXT,
  ended_at TEXT NOT NULL,
  error_code TEXT,
  error_message TEXT,
  log_seq INTEGER NOT NULL,
  reject_seq INTEGER NOT NULL,
  PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_steps (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  step_index INTEGER NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  status TEXT NOT NULL,
  rows_in INTEGER,
  rows_out INTEGER,
  rows_rejected INTEGER,
  bytes INTEGER,
  started_at TEXT,
  duration_ms REAL,
  columns TEXT NOT NULL,
  PRIMARY KEY (run_id, attempt, step_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_rejects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  step TEXT NOT NULL,
  reason TEXT NOT NULL,
  row TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX run_rejects_by_run ON run_rejects (run_id, id);
CREATE INDEX run_rejects_by_step ON run_rejects (run_id, step, id);

-- A chunk is a batch of log lines, as JSON lines; encoding 0 is plain UTF-8, 1 is zstd. levels is a bit set of the levels inside.
CREATE TABLE run_log_chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  first_line INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  levels INTEGER NOT NULL,
  encoding INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (run_id, first_line)
) STRICT;
`

const added = (task: string, grain: number, seconds: number, sign: number) => `
  INSERT INTO run_counts (task_id, grain, bucket, status, trigger_type, n)
  VALUES (${task}, ${grain}, unixepoch(${sign > 0 ? 'new' : 'old'}.created_at) / ${seconds},
    ${sign > 0 ? 'new' : 'old'}.status, ${sign > 0 ? 'new' : 'old'}.trigger_type, ${sign})
  ON CONFLICT DO UPDATE SET n = n + excluded.n;`
const count = (sign: number) => {
  const task = sign > 0 ? 'new.task_id' : 'old.task_id'
  return added('0', 0, 86_400, sign) + added('0', 1, 60, sign) + added(task, 0, 86_400, sign) + added(task, 1, 60, sign)
}
const ended = (row: string) => `${row}.status IN ('success', 'completed', 'failed', 'cancelled')`

// Ended runs alone are counted here (they never move again, so one addition a run); pending and running ones are few and
// counted where they stand. task_id 0 is all tasks; grain 0 counts days, grain 1 minutes, since the epoch in UTC.
const counters = `
CREATE TABLE run_counts (
  task_id INTEGER NOT NULL,
  grain INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  status TEXT NOT NULL,
  trigger_type TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (task_id, grain, bucket, status, trigger_type)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER runs_count_ended AFTER UPDATE OF status ON runs
WHEN ${ended('new')} AND NOT ${ended('old')}
BEGIN ${count(1)}
END;
CREATE TRIGGER runs_count_inserted AFTER INSERT ON runs
WHEN ${ended('new')}
BEGIN ${count(1)}
END;
CREATE TRIGGER runs_count_deleted AFTER DELETE ON runs
WHEN ${ended('old')}
BEGIN ${count(-1)}
  DELETE FROM run_counts WHERE n = 0 AND task_id IN (0, old.task_id)
    AND bucket IN (unixepoch(old.created_at) / 60, unixepoch(old.created_at) / 86400);
END;
`
