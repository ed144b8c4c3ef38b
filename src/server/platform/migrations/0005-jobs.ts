import type { Migration } from './migration.ts'

/** Job templates with their versions, and jobs with what they hold for ever. */
export const jobs: Migration = {
  version: 5,
  name: 'jobs',
  up(sqlite) {
    sqlite.exec(`
CREATE TABLE job_templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  description TEXT,
  current_version INTEGER NOT NULL,
  connector_refs TEXT,
  task_count INTEGER NOT NULL,
  tags TEXT NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  search_text TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX job_templates_by_created ON job_templates (archived, created_at, id);

CREATE TABLE job_template_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_template_id INTEGER NOT NULL REFERENCES job_templates (id),
  version INTEGER NOT NULL,
  yaml_content TEXT NOT NULL,
  connector_refs TEXT,
  change_summary TEXT,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  UNIQUE (job_template_id, version)
) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_template_id INTEGER NOT NULL REFERENCES job_templates (id),
  name TEXT NOT NULL UNIQUE,
  description TEXT,
  connector_mapping TEXT NOT NULL,
  parameters TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'archived')),
  -- What it holds now; older snapshots stay for the job runs that were started on them.
  snapshot_id INTEGER,
  template_version INTEGER NOT NULL,
  search_text TEXT NOT NULL,
  revision INTEGER NOT NULL,
  -- Kept up by job runs and triggers, so that lists need not look for them.
  last_run_id INTEGER,
  last_run_status TEXT,
  last_run_at TEXT,
  next_fire_at TEXT,
  created_by INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_by_template ON jobs (job_template_id, created_at, id);
CREATE INDEX jobs_by_status ON jobs (status, created_at, id);

-- Never changed once written.
CREATE TABLE job_snapshots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  job_template_id INTEGER NOT NULL,
  template_version INTEGER NOT NULL,
  yaml_content TEXT NOT NULL,
  -- JSON: task key -> {task_id, task_name, version}
  tasks TEXT NOT NULL,
  -- JSON: list of {id, name, version, yaml_content}
  dashboard_templates TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX job_snapshots_by_job ON job_snapshots (job_id);

-- YAML of tasks that stands in no version: by the hash of the text, written once.
CREATE TABLE override_texts (
  hash TEXT PRIMARY KEY,
  yaml_content TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE job_task_overrides (
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  task_key TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES override_texts (hash),
  created_by INTEGER,
  created_at TEXT NOT NULL,
  PRIMARY KEY (job_id, task_key)
) STRICT, WITHOUT ROWID;
`)
  },
}
