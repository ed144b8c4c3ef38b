import type { Migration } from './migration.ts'

/** Long references are indexed in pieces. Parts below `parts_from` belong to an earlier text and are never found. */
export const referenceIndexing: Migration = {
  version: 45,
  name: 'reference indexing',
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE ai_references ADD COLUMN indexed INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE ai_references ADD COLUMN parts_from INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX ai_references_to_index ON ai_references (id) WHERE indexed = 0;
    `)
  },
}
