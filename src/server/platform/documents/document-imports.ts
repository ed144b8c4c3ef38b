import type { Platform } from '../platform.ts'
import type { ImportedVersion, RecordImports } from '../record-imports.ts'
import { type DocumentKind, appendChanged } from './document-kind.ts'
import type { DocumentValues, DocumentsStore } from './documents.store.ts'
import type { DocumentRow } from './documents.table.ts'

/** Documents with their history, which is taken as it stands: the same for every kind. */
export function createDocumentImports<Values extends DocumentValues>(
  { events, clock }: Pick<Platform, 'events' | 'clock'>,
  kind: DocumentKind,
  documents: DocumentsStore<Values, DocumentRow>,
): Pick<RecordImports<Values>, 'find' | 'create' | 'change'> {
  /** `current`: whose slots are known, as its text has been judged. */
  function addVersions(
    id: number,
    versions: readonly ImportedVersion[],
    current: { version: number; connector_refs: string } | null,
    by: number,
  ) {
    for (const { created_at, ...version } of versions) {
      documents.insertVersion({
        ...version,
        owner_id: id,
        connector_refs: version.version === current?.version ? current.connector_refs : null,
        created_by: by,
        created_at: created_at ?? clock.iso(),
      })
    }
  }

  function textOf(id: number, version: number): string {
    const row = documents.version(id, version)
    if (!row) throw new Error(`The ${kind.noun} ${id} has no version ${version}, which is its current one`)
    return row.yaml_content
  }

  function changed(id: number): void {
    const row = documents.get(id)
    if (!row) throw new Error(`The ${kind.noun} ${id}, just written, is not there`)
    appendChanged(events, kind, row)
  }

  return {
    find(name, history) {
      const row = documents.getByName(name)
      if (!row) return undefined
      const { id, current_version, archived, tags } = row
      const texts = history ? documents.texts(id) : new Map([[current_version, textOf(id, current_version)]])
      const newest = history ? Math.max(...texts.keys()) : documents.newestVersion(id)
      return { id, current_version, archived: archived === 1, tags, texts, newest }
    },
    create({ values, versions, current_version, tags, archived }, by) {
      const at = clock.iso()
      const record = { ...values, current_version, tags, created_by: by, created_at: at, updated_at: at }
      const id = documents.insert(record, archived ? 1 : 0)
      addVersions(id, versions, { version: current_version, connector_refs: values.connector_refs }, by)
      changed(id)
    },
    change(id, { values, add, current_version, tags, unarchive }, by) {
      const current = values ? { version: current_version, connector_refs: values.connector_refs } : null
      addVersions(id, add, current, by)
      const archived = unarchive ? { archived: 0 as const } : {}
      documents.update(id, values, { current_version, tags, ...archived, updated_at: clock.iso() })
      changed(id)
    },
  }
}
