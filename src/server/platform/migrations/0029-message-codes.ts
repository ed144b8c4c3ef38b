import type { Migration } from './migration.ts'

/** The codes and parameters of texts that were kept in English alone: windows render them in the reader's language. Older rows have the text. */
export const messageCodes: Migration = {
  version: 29,
  name: 'message codes',
  up(sqlite) {
    sqlite.exec(`
ALTER TABLE run_rejects ADD COLUMN code TEXT;
ALTER TABLE run_rejects ADD COLUMN params TEXT;
ALTER TABLE notification_deliveries ADD COLUMN error_params TEXT;
ALTER TABLE trigger_firings ADD COLUMN message_params TEXT;
ALTER TABLE event_triggers ADD COLUMN last_error_params TEXT;
`)
  },
}
