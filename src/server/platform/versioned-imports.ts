import type { Clock } from './clock.ts'
import type { ImportedVersion, RecordImports } from './record-imports.ts'

interface ImportedValues {
  name: string
  description: string | null
  connector_refs: string
}
interface WrittenRecord {
  current_version: number
  tags: string[]
  updated_at: string
}
type WrittenVersion = Omit<ImportedVersion, 'created_at'> & {
  connector_refs: string | null
  created_by: number
  created_at: string
}

/** What the store of a kind of record must give, for its records to be imported. */
interface VersionedRecords<V> {
  /** `Task`: in messages. */
  noun: string
  getByName(name: string): { id: number; current_version: number; archived: 0 | 1; tags: string[] } | undefined
  texts(id: number): Map<number, string>
  version(id: number, version: number): { yaml_content: string } | undefined
  newestVersion(id: number): number
  insert(record: V & WrittenRecord & { created_by: number; created_at: string }, archived: 0 | 1): number
  insertVersion(id: number, version: WrittenVersion): void
  /** Without `values` the text of the current version stays. */
  update(id: number, values: V | undefined, change: WrittenRecord & { archived?: 0 }): void
  /** Tells of a record that has just been written. */
  changed(id: number): void
}

/** Records with their history, which is taken as it stands: the same for every kind whose text is kept in versions. */
export function createVersionedImports<V extends ImportedValues>(
  clock: Clock,
  records: VersionedRecords<V>,
): Pick<RecordImports<V>, 'find' | 'create' | 'change'> {
  /** `current`: whose slots are known, as its text has been judged. */
  function addVersions(
    id: number,
    versions: readonly ImportedVersion[],
    current: { version: number; connector_refs: string } | null,
    by: number,
  ) {
    for (const { created_at, ...version } of versions) {
      records.insertVersion(id, {
        ...version,
        connector_refs: version.version === current?.version ? current.connector_refs : null,
        created_by: by,
        created_at: created_at ?? clock.iso(),
      })
    }
  }

  function textOf(id: number, version: number): string {
    const row = records.version(id, version)
    if (!row) throw new Error(`${records.noun} ${id} has no version ${version}, which is its current one`)
    return row.yaml_content
  }

  return {
    find(name, history) {
      const row = records.getByName(name)
      if (!row) return undefined
      const { id, current_version, archived, tags } = row
      const texts = history ? records.texts(id) : new Map([[current_version, textOf(id, current_version)]])
      const newest = history ? Math.max(...texts.keys()) : records.newestVersion(id)
      return { id, current_version, archived: archived === 1, tags, texts, newest }
    },
    create({ values, versions, current_version, tags, archived }, by) {
      const at = clock.iso()
      const record = { ...values, current_version, tags, created_by: by, created_at: at, updated_at: at }
      const id = records.insert(record, archived ? 1 : 0)
      addVersions(id, versions, { version: current_version, connector_refs: values.connector_refs }, by)
      records.changed(id)
    },
    change(id, { values, add, current_version, tags, unarchive }, by) {
      const current = values ? { version: current_version, connector_refs: values.connector_refs } : null
      addVersions(id, add, current, by)
      const archived = unarchive ? { archived: 0 as const } : {}
      records.update(id, values, { current_version, tags, ...archived, updated_at: clock.iso() })
      records.changed(id)
    },
  }
}
