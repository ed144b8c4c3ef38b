import type { Migration } from './migration.ts'

/** The newest runs of a trigger and of a connector are found without a walk through all that ever happened. */
export const recentRuns: Migration = {
  version: 25,
  name: 'recent runs',
  up(sqlite) {
    const mapped = (row: string) =>
      `SELECT DISTINCT value, ${row}.id FROM json_each(${row}.connector_mapping) WHERE type = 'integer'`
    sqlite.exec(`
      CREATE TABLE run_connectors (
        connector_id INTEGER NOT NULL,
        run_id INTEGER NOT NULL,
        PRIMARY KEY (connector_id, run_id)
      ) STRICT, WITHOUT ROWID;
      -- The newest failed run of a connector, which can be older than any list reaches.
      CREATE TABLE connector_failures (
        connector_id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL
      ) STRICT;
      INSERT INTO run_connectors SELECT DISTINCT value, runs.id FROM runs, json_each(runs.connector_mapping)
        WHERE connector_mapping IS NOT NULL AND type = 'integer';
      INSERT INTO connector_failures SELECT connector_id, max(run_id) FROM run_connectors
        JOIN runs ON runs.id = run_id WHERE status = 'failed' GROUP BY connector_id;

      CREATE TRIGGER runs_note_connectors AFTER INSERT ON runs
      WHEN new.connector_mapping IS NOT NULL AND new.connector_mapping <> '{}'
      BEGIN
        INSERT OR IGNORE INTO run_connectors ${mapped('new')};
      END;
      CREATE TRIGGER runs_note_failure AFTER UPDATE OF status ON runs
      WHEN new.status = 'failed' AND new.connector_mapping IS NOT NULL AND new.connector_mapping <> '{}'
      BEGIN
        INSERT INTO connector_failures ${mapped('new')}
        ON CONFLICT DO UPDATE SET run_id = max(run_id, excluded.run_id);
      END;
      CREATE TRIGGER runs_forget_connectors AFTER DELETE ON runs
      WHEN old.connector_mapping IS NOT NULL AND old.connector_mapping <> '{}'
      BEGIN
        DELETE FROM run_connectors WHERE run_id = old.id
          AND connector_id IN (SELECT value FROM json_each(old.connector_mapping) WHERE type = 'integer');
        DELETE FROM connector_failures WHERE run_id = old.id
          AND connector_id IN (SELECT value FROM json_each(old.connector_mapping) WHERE type = 'integer');
      END;

      CREATE INDEX job_runs_by_event_trigger ON job_runs (event_trigger_id, created_at)
        WHERE event_trigger_id IS NOT NULL;
      CREATE INDEX job_runs_failed_by_trigger ON job_runs (trigger_id, created_at)
        WHERE trigger_id IS NOT NULL AND status = 'failed';
      CREATE INDEX job_runs_failed_by_event_trigger ON job_runs (event_trigger_id, created_at)
        WHERE event_trigger_id IS NOT NULL AND status = 'failed';
    `)
  },
}
