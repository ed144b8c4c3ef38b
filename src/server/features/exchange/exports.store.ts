import Sqlite, { type Statement } from 'better-sqlite3'
import type { BundleKind } from './bundle-format.rules.ts'

export interface ExportedRecord {
  id: number
  name: string
  description: string | null
  tags: string
  archived: 0 | 1
  current_version: number
}
export interface ExportedVersion {
  version: number
  yaml_content: string
  change_summary: string | null
  created_at: string
}
/** Which records: those of these ids, or all of them. */
export type Selection = { ids: number[] } | { ids: null; archived: boolean }

const tables = {
  task: { records: 'tasks', versions: 'task_versions', key: 'task_id' },
  job_template: { records: 'job_templates', versions: 'job_template_versions', key: 'job_template_id' },
  dashboard_template: {
    records: 'dashboard_templates',
    versions: 'dashboard_template_versions',
    key: 'dashboard_template_id',
  },
  // They have no history: their one version is what they hold, as a JSON object.
  ai_reference: {
    records: `(SELECT id, title AS name, NULL AS description, tags, 0 AS archived, 1 AS current_version
      FROM ai_references WHERE removed = 0)`,
    versions: `(SELECT id AS reference_id, 1 AS version, NULL AS change_summary,
      coalesce(updated_at, created_at) AS created_at,
      json_object('name', title, 'kind', kind, 'content', content) AS yaml_content
      FROM ai_references JOIN ai_reference_texts ON reference_id = id)`,
    key: 'reference_id',
  },
  explorer_preset: {
    records: `(SELECT id, name, NULL AS description, '[]' AS tags, 0 AS archived, 1 AS current_version
      FROM explorer_preset_records)`,
    versions: `(SELECT id AS preset_id, 1 AS version, NULL AS change_summary, created_at, content AS yaml_content
      FROM explorer_preset_records)`,
    key: 'preset_id',
  },
} as const
/** Of records, and of versions of one record. */
const PAGE = 25

/**
 * One committed state of the store, on a connection of its own: whatever is written meanwhile is not seen, and nobody has to
 * wait. Close it: the log of the database grows as long as it is open.
 */
export function openSnapshot(databaseFile: string) {
  const sqlite = new Sqlite(databaseFile, { readonly: true, fileMustExist: true })
  sqlite.exec('BEGIN')
  // The first read decides which state it is.
  sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
  const kinds = {
    task: reader(sqlite, 'task'),
    job_template: reader(sqlite, 'job_template'),
    dashboard_template: reader(sqlite, 'dashboard_template'),
    ai_reference: reader(sqlite, 'ai_reference'),
    explorer_preset: reader(sqlite, 'explorer_preset'),
  }
  return {
    /** The first of these ids that there is no record of. */
    unknown: (kind: BundleKind, ids: number[]) => kinds[kind].unknown.get(JSON.stringify(ids))?.id,
    count: (kind: BundleKind, selection: Selection): number =>
      // Every one of them is there: `unknown` has been asked.
      selection.ids ? selection.ids.length : (kinds[kind].count.get(selection.archived ? 1 : 0)?.n ?? 0),
    /** At most 25, in the order of their names, after this one. */
    records: (kind: BundleKind, selection: Selection, after: string): ExportedRecord[] =>
      selection.ids
        ? kinds[kind].chosen.all({ after, ids: JSON.stringify(selection.ids) })
        : kinds[kind].all.all({ after, archived: selection.archived ? 1 : 0 }),
    version: (kind: BundleKind, id: number, version: number): ExportedVersion | undefined =>
      kinds[kind].version.get(id, version),
    /** At most 25, in the order of their numbers, after this one. */
    versions: (kind: BundleKind, id: number, after: number): ExportedVersion[] => kinds[kind].versions.all(id, after),
    close: () => void sqlite.close(),
  }
}
export type Snapshot = ReturnType<typeof openSnapshot>

function reader(sqlite: Sqlite.Database, kind: BundleKind) {
  const { records, versions, key } = tables[kind]
  const fields = 'id, name, description, tags, archived, current_version'
  const version = `SELECT version, yaml_content, change_summary, created_at FROM ${versions} WHERE ${key} = ?`
  const all: Statement<{ after: string; archived: number }, ExportedRecord> = sqlite.prepare(
    `SELECT ${fields} FROM ${records} WHERE name > :after AND archived <= :archived ORDER BY name LIMIT ${PAGE}`,
  )
  const chosen: Statement<{ after: string; ids: string }, ExportedRecord> = sqlite.prepare(
    `SELECT ${fields} FROM ${records} WHERE name > :after AND id IN (SELECT value FROM json_each(:ids))
     ORDER BY name LIMIT ${PAGE}`,
  )
  const count: Statement<[number], { n: number }> = sqlite.prepare(
    `SELECT count(*) AS n FROM ${records} WHERE archived <= ?`,
  )
  const unknown: Statement<[string], { id: number }> = sqlite.prepare(
    `SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM ${records}) LIMIT 1`,
  )
  const one: Statement<[number, number], ExportedVersion> = sqlite.prepare(`${version} AND version = ?`)
  const page: Statement<[number, number], ExportedVersion> = sqlite.prepare(
    `${version} AND version > ? ORDER BY version LIMIT ${PAGE}`,
  )
  return { all, chosen, count, unknown, version: one, versions: page }
}
