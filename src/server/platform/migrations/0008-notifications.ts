import type { Migration } from './migration.ts'

/** Where news of job runs go, and what was sent. */
export const notifications: Migration = {
  version: 8,
  name: 'notifications',
  up() {},
}
