import type { Migration } from './migration.ts'

/**
 * Job runs with their tasks and units of work, pools, and what runs must know of the job run that they belong to.
 *
 * Kept by the database itself: a job run that has completed or was cancelled never changes its status again, and one that
 * failed only by being resumed.
 */
export const jobRuns: Migration = {
  version: 6,
  name: 'job-runs',
  up(sqlite) {
    sqlite.exec(jobRunTables)
    sqlite.exec(itemCounts)
    sqlite.exec(runColumns)
  },
}

const jobRunTables = `
CREATE TABLE job_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  job_name TEXT NOT NULL,
  snapshot_id INTEGER NOT NULL REFERENCES job_snapshots (id),
  template_version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  trigger_type TEXT NOT NULL CHECK (trigger_type IN ('manual', 'cron', 'api')),
  trigger_id INTEGER,
  event_trigger_id INTEGER,
  logical_date TEXT NOT NULL,
  -- Given at the start; parameters is the whole set that expressions see.
  arguments TEXT,
  parameters TEXT NOT NULL,
  connector_mapping TEXT NOT NULL,
  -- task key -> hash of the YAML that is run instead of the pinned version; null: none.
  overrides TEXT,
  selected_tasks TEXT,
  skip_deps INTEGER,
  full_refresh INTEGER NOT NULL DEFAULT 0,
  priority INTEGER NOT NULL DEFAULT 0,
  on_overlap TEXT NOT NULL CHECK (on_overlap IN ('skip', 'queue', 'cancel_running')),
  -- How many runs may be under way at once, and how many are.
  max_tasks INTEGER NOT NULL,
  active INTEGER NOT NULL DEFAULT 0,
  pause_reason TEXT CHECK (pause_reason IN ('asked', 'gate')),
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  -- Nothing new is started and it will fail: a task with on_failure stop failed, or its time was up.
  stop_reason TEXT,
  timeout_ms INTEGER,
  -- Time spent running before the last pause; running_since is null while it does not run.
  ran_ms INTEGER NOT NULL DEFAULT 0,
  running_since TEXT,
  -- When its time is up, and when it is late; null: never, or not any more.
  timeout_at TEXT,
  late_at TEXT,
  -- 1: it failed before it was resumed.
  was_failed INTEGER NOT NULL DEFAULT 0,
  -- 1: completed, and every task run was success.
  success INTEGER NOT NULL DEFAULT 0,
  error_message TEXT,
  rerun_of INTEGER,
  backfill_id TEXT,
  backfill_parallel INTEGER,
  started_at TEXT,
  completed_at TEXT,
  duration_ms INTEGER,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX job_runs_by_job ON job_runs (job_id, created_at);
CREATE INDEX job_runs_by_job_status ON job_runs (job_id, status, created_at);
CREATE INDEX job_runs_by_status ON job_runs (status, created_at);
CREATE INDEX job_runs_by_success ON job_runs (created_at) WHERE success = 1;
CREATE INDEX job_runs_by_job_success ON job_runs (job_id, created_at) WHERE success = 1;
CREATE INDEX job_runs_by_created ON job_runs (created_at);
CREATE INDEX job_runs_by_trigger_type ON job_runs (trigger_type, created_at);
CREATE INDEX job_runs_by_trigger ON job_runs (trigger_id, created_at) WHERE trigger_id IS NOT NULL;
CREATE INDEX job_runs_open ON job_runs (job_id, id) WHERE status IN ('pending', 'running', 'paused');
CREATE INDEX job_runs_by_backfill ON job_runs (backfill_id) WHERE backfill_id IS NOT NULL;
CREATE INDEX job_runs_timeout ON job_runs (timeout_at) WHERE timeout_at IS NOT NULL;
CREATE INDEX job_runs_late ON job_runs (late_at) WHERE late_at IS NOT NULL;

CREATE TRIGGER job_runs_ended_stay BEFORE UPDATE OF status ON job_runs
WHEN (old.status IN ('completed', 'cancelled') AND new.status <> old.status)
  OR (old.status = 'failed' AND new.status NOT IN ('failed', 'running'))
BEGIN
  SELECT RAISE(ABORT, 'a job run that has ended never changes its status');
END;

-- A task or gate of a job run.
CREATE TABLE job_run_tasks (
  job_run_id INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
  task_key TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('task', 'gate')),
  status TEXT NOT NULL CHECK (status IN
    ('pending', 'queued', 'running', 'paused', 'success', 'completed', 'failed', 'cancelled', 'skipped')),
  reason TEXT,
  -- Units of work: 1, or the items of a for_each; null until it is known.
  item_total INTEGER,
  -- What a gate asks, with its expressions filled in.
  message TEXT,
  decided_by INTEGER,
  note TEXT,
  -- Job run whose outcome is reused.
  reused_from INTEGER,
  error_message TEXT,
  started_at TEXT,
  completed_at TEXT,
  -- Of its units of work, for the order in which they start: limits, and since when they wait.
  max_parallel INTEGER,
  pool TEXT,
  priority INTEGER NOT NULL DEFAULT 0,
  queued_at TEXT,
  -- How many of its units of work stand how, kept by the triggers below; active: those that have a run that has not ended.
  n_queued INTEGER NOT NULL DEFAULT 0,
  n_active INTEGER NOT NULL DEFAULT 0,
  n_success INTEGER NOT NULL DEFAULT 0,
  n_completed INTEGER NOT NULL DEFAULT 0,
  n_failed INTEGER NOT NULL DEFAULT 0,
  n_cancelled INTEGER NOT NULL DEFAULT 0,
  n_skipped INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job_run_id, task_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_run_tasks_waiting ON job_run_tasks (job_run_id, priority DESC, queued_at, position) WHERE n_queued > 0;
CREATE INDEX job_run_tasks_in_pool ON job_run_tasks (pool, priority DESC, queued_at, job_run_id, position)
  WHERE n_queued > 0 AND pool IS NOT NULL;

-- A unit of work: a task itself, or one item of its for_each. queued: may start as soon as limits allow; pending: its run
-- waits for an executor.
CREATE TABLE job_run_items (
  job_run_id INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
  task_key TEXT NOT NULL,
  item_index INTEGER NOT NULL,
  -- JSON; null without for_each. item_key names it in saved state.
  item TEXT,
  item_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('pending', 'queued', 'running', 'success', 'completed', 'failed', 'cancelled', 'skipped')),
  run_id INTEGER,
  outputs TEXT,
  item_count INTEGER,
  reject_count INTEGER,
  error_message TEXT,
  pool TEXT,
  priority INTEGER NOT NULL,
  queued_at TEXT,
  started_at TEXT,
  completed_at TEXT,
  -- 1: its run was stopped by a pause, so it runs again.
  again INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job_run_id, task_key, item_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_run_items_by_status ON job_run_items (job_run_id, task_key, status, item_index);
CREATE INDEX job_run_items_in_pool ON job_run_items (pool, priority DESC, queued_at) WHERE status = 'queued' AND pool IS NOT NULL;
CREATE INDEX job_run_items_by_run ON job_run_items (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE pools (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  slots INTEGER NOT NULL,
  description TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
) STRICT;
`

const countedStatuses = ['queued', 'success', 'completed', 'failed', 'cancelled', 'skipped'] as const
const isActive = (row: string) => `(${row}.status IN ('pending', 'running'))`
const isOne = (row: string, status: string) => `(${row}.status = '${status}')`
/** `change` is what one unit of work adds to a count. */
const counted = (row: string, change: (test: (row: string) => string) => string) => `
  UPDATE job_run_tasks SET n_active = n_active ${change(isActive)},
    ${countedStatuses.map((status) => `n_${status} = n_${status} ${change((one) => isOne(one, status))}`).join(',\n    ')}
  WHERE job_run_id = ${row}.job_run_id AND task_key = ${row}.task_key;`
const countedActive = (row: string, change: string) =>
  `UPDATE job_runs SET active = active ${change} WHERE id = ${row}.job_run_id;`

const itemCounts = `
CREATE TRIGGER job_run_items_inserted AFTER INSERT ON job_run_items
BEGIN ${counted('new', (test) => `+ ${test('new')}`)}
END;
CREATE TRIGGER job_run_items_moved AFTER UPDATE OF status ON job_run_items WHEN old.status <> new.status
BEGIN ${counted('new', (test) => `+ ${test('new')} - ${test('old')}`)}
END;
CREATE TRIGGER job_run_items_deleted AFTER DELETE ON job_run_items
BEGIN ${counted('old', (test) => `- ${test('old')}`)}
END;
-- A unit of work is never active from the start, and never deleted while it is.
CREATE TRIGGER job_run_items_active AFTER UPDATE OF status ON job_run_items WHEN ${isActive('old')} <> ${isActive('new')}
BEGIN ${countedActive('new', `+ ${isActive('new')} - ${isActive('old')}`)}
END;
`

const runColumns = `
ALTER TABLE runs ADD COLUMN job_id INTEGER;
ALTER TABLE runs ADD COLUMN task_key TEXT;
-- Of a for_each; state_key names the item in saved state.
ALTER TABLE runs ADD COLUMN item_index INTEGER;
ALTER TABLE runs ADD COLUMN state_key TEXT;
-- Hash of the YAML that is run instead of the version's.
ALTER TABLE runs ADD COLUMN override_hash TEXT;
ALTER TABLE runs ADD COLUMN pool TEXT;
CREATE INDEX runs_in_pool ON runs (pool) WHERE pool IS NOT NULL AND status IN ('pending', 'running');
`
