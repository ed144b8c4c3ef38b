import type { Migration } from './migration.ts'

/**
 * Presets as bundles hold them: with one version, whose text is a JSON object. Other presets can have the same name, so a record is
 * named after where the preset is visible, and then by number.
 */
export const explorerPresetRecords: Migration = {
  version: 42,
  name: 'explorer preset records',
  up(sqlite) {
    sqlite.exec(`
      CREATE VIEW explorer_preset_records AS
      WITH
        placed AS (
          SELECT p.id, p.name || coalesce(' · ' || c.name, '') || coalesce(' · ' || p.resource, '') AS label,
            coalesce(p.updated_at, p.created_at) AS created_at,
            json_object('name', p.name, 'description', p.description, 'connector', c.name, 'resource', p.resource,
              'definition', json(p.definition)) AS content
          FROM explorer_presets AS p LEFT JOIN connectors AS c ON c.id = p.connector_id
        ),
        counted AS (SELECT *, row_number() OVER (PARTITION BY label ORDER BY id) AS n FROM placed),
        numbered AS (SELECT id, created_at, content, label || iif(n = 1, '', ' (' || n || ')') AS label FROM counted),
        -- A preset can be called as another one is numbered.
        again AS (SELECT *, row_number() OVER (PARTITION BY label ORDER BY id) AS n FROM numbered)
      SELECT id, label || iif(n = 1, '', ' (' || n || ')') AS name, created_at, content FROM again
    `)
  },
}
