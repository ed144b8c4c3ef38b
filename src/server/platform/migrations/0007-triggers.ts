import type { Migration } from './migration.ts'

/** What starts jobs: at times, and on events. */
export const triggers: Migration = {
  version: 7,
  name: 'triggers',
  up(sqlite) {
    sqlite.exec(`
CREATE TABLE triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  task_key TEXT,
  type TEXT NOT NULL CHECK (type IN ('cron', 'one_off')),
  cron_expression TEXT NOT NULL,
  timezone TEXT NOT NULL,
  arguments TEXT,
  enabled INTEGER NOT NULL,
  misfire_policy TEXT NOT NULL CHECK (misfire_policy IN ('skip', 'fire_once', 'fire_all')),
  jitter_seconds INTEGER NOT NULL,
  on_overlap TEXT CHECK (on_overlap IN ('skip', 'queue', 'cancel_running')),
  -- The next time by the schedule, and when it is to be started: later by the jitter. Null: it fires no more, for now.
  next_fire_at TEXT,
  due_at TEXT,
  -- Lists by the next firing: what fires no more comes last.
  fire_order TEXT NOT NULL GENERATED ALWAYS AS (coalesce(next_fire_at, '~')) VIRTUAL,
  last_triggered_at TEXT,
  revision INTEGER NOT NULL,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX triggers_due ON triggers (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX triggers_by_job ON triggers (job_id, next_fire_at);
CREATE INDEX triggers_by_next ON triggers (next_fire_at, id);
CREATE INDEX triggers_in_order ON triggers (fire_order, id);

-- Each time of a trigger at most once, whatever happens in between.
CREATE TABLE trigger_firings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  trigger_id INTEGER NOT NULL REFERENCES triggers (id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL,
  task_key TEXT,
  scheduled_at TEXT NOT NULL,
  fired_at TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('started', 'overlap', 'missed', 'failed')),
  job_run_id INTEGER,
  message TEXT,
  UNIQUE (trigger_id, scheduled_at)
) STRICT;
CREATE INDEX trigger_firings_by_time ON trigger_firings (scheduled_at, id);
CREATE INDEX trigger_firings_by_job ON trigger_firings (job_id, scheduled_at, id);

CREATE TABLE event_triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('webhook', 'file_arrival', 'after_job')),
  config TEXT NOT NULL,
  task_key TEXT,
  arguments TEXT,
  enabled INTEGER NOT NULL,
  -- Of a webhook: SHA-256 of its token.
  token_hash TEXT UNIQUE,
  -- Of after_job: the job that it waits for.
  source_job_id INTEGER,
  -- Of file_arrival: 1 once it has looked and knows what was there before.
  looked INTEGER NOT NULL DEFAULT 0,
  last_triggered_at TEXT,
  last_error TEXT,
  revision INTEGER NOT NULL,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (job_id, name)
) STRICT;
CREATE INDEX event_triggers_after ON event_triggers (source_job_id) WHERE source_job_id IS NOT NULL;
CREATE INDEX event_triggers_by_type ON event_triggers (type, enabled);

-- Files that a file_arrival trigger has seen. taken: its job has been started for it, or it was there before.
CREATE TABLE event_trigger_files (
  event_trigger_id INTEGER NOT NULL REFERENCES event_triggers (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Since when it has been as it is.
  since TEXT NOT NULL,
  taken INTEGER NOT NULL,
  PRIMARY KEY (event_trigger_id, path)
) STRICT, WITHOUT ROWID;
`)
  },
}
