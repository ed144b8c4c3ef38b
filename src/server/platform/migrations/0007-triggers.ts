import type { Migration } from './migration.ts'

/** What starts jobs: at times, and on events. */
export const triggers: Migration = {
  version: 7,
  name: 'triggers',
  up() {},
}
