import type { Migration } from './migration.ts'

/** What waits for someone is found without a walk through all that ever happened. */
export const attention: Migration = {
  version: 22,
  name: 'attention',
  up(sqlite) {
    sqlite.exec(`
      CREATE INDEX job_run_tasks_gates ON job_run_tasks (started_at) WHERE kind = 'gate' AND status = 'paused';
      CREATE INDEX trigger_firings_missed ON trigger_firings (scheduled_at) WHERE outcome IN ('missed', 'failed');
      CREATE INDEX task_states_unresolved ON task_states (updated_at) WHERE unresolved <> '[]';
    `)
  },
}
