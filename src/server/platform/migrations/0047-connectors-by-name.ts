import type { Migration } from './migration.ts'

/** Connectors sorted by name in any case of letters: an index whose order differs from the list's would be sorted again for each page. */
export const connectorsByName: Migration = {
  version: 47,
  name: 'connectors by name in any case',
  up(sqlite) {
    sqlite.exec(`
      DROP INDEX connectors_by_name;
      CREATE INDEX connectors_by_name ON connectors (archived, name COLLATE NOCASE, id);
    `)
  },
}
