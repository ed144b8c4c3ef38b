import type { Migration } from './migration.ts'

/** Dashboard templates with their versions, the dashboards of jobs, and their public links. */
export const dashboards: Migration = {
  version: 35,
  name: 'dashboards',
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE dashboard_templates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        description TEXT,
        current_version INTEGER NOT NULL,
        connector_refs TEXT,
        job_template_name TEXT NOT NULL,
        widget_count INTEGER NOT NULL,
        tags TEXT NOT NULL,
        archived INTEGER NOT NULL DEFAULT 0,
        search_text TEXT NOT NULL,
        revision INTEGER NOT NULL,
        created_by INTEGER,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX dashboard_templates_by_created ON dashboard_templates (archived, created_at, id);
      CREATE INDEX dashboard_templates_by_job_template ON dashboard_templates (job_template_name, archived);

      CREATE TABLE dashboard_template_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dashboard_template_id INTEGER NOT NULL REFERENCES dashboard_templates (id),
        version INTEGER NOT NULL,
        yaml_content TEXT NOT NULL,
        connector_refs TEXT,
        change_summary TEXT,
        created_by INTEGER,
        created_at TEXT NOT NULL,
        UNIQUE (dashboard_template_id, version)
      ) STRICT;

      CREATE TABLE dashboards (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        job_id INTEGER NOT NULL REFERENCES jobs (id),
        dashboard_template_id INTEGER NOT NULL REFERENCES dashboard_templates (id),
        template_version INTEGER NOT NULL,
        name TEXT NOT NULL,
        description TEXT,
        yaml_content TEXT NOT NULL,
        widget_count INTEGER NOT NULL,
        -- What people have entered.
        state TEXT NOT NULL,
        search_text TEXT NOT NULL,
        revision INTEGER NOT NULL,
        -- 1: an upgrade of the job took it out. Its state and its links wait, should a later one bring it back.
        removed INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        UNIQUE (job_id, dashboard_template_id)
      ) STRICT;

      CREATE TABLE dashboard_shares (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dashboard_id INTEGER NOT NULL REFERENCES dashboards (id),
        name TEXT,
        token_hash TEXT NOT NULL UNIQUE,
        prefix TEXT NOT NULL,
        filters TEXT NOT NULL CHECK (filters IN ('locked', 'free')),
        filter_values TEXT NOT NULL,
        allowed_origins TEXT NOT NULL,
        view_count INTEGER NOT NULL DEFAULT 0,
        last_viewed_at TEXT,
        expires_at TEXT,
        revoked_at TEXT,
        created_by INTEGER,
        created_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX dashboard_shares_by_dashboard ON dashboard_shares (dashboard_id, id);
    `)
  },
}
