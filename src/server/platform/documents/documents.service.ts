import {
  type DocumentSave,
  type DocumentVersionsQuery,
  type DocumentsQuery,
  type TagChange,
  mostTags,
} from '../../../contract/documents.ts'
import { msg } from '../../../contract/messages.ts'
import type { Caller } from '../caller.ts'
import type { Platform } from '../platform.ts'
import { keepNameUnique } from '../record-name.ts'
import { invalid, notFound } from '../refusal.ts'
import { tagMistakes } from '../tags.rules.ts'
import { compare, retagged } from '../versioned-text.ts'
import { nameMistake } from '../visible.rules.ts'
import { type DocumentKind, type KindName, appendChanged } from './document-kind.ts'
import type { DocumentValues, DocumentsStore } from './documents.store.ts'
import type { DocumentRow, VersionRow } from './documents.table.ts'

/** What a kind of document brings. */
interface Parts<Name extends KindName, Values extends DocumentValues, Row extends DocumentRow> {
  kind: DocumentKind<Name>
  documents: DocumentsStore<Values, Row>
  /** What is kept of a text that may be saved, or a refusal with every finding. */
  accept(yaml: string): Values
  /** Reads a long text, so that `accept` needn't, until the answer is called. */
  ahead(yaml: string, signal: AbortSignal): Promise<() => void>
  users: { usernames(ids: number[]): Map<number, string> }
}

/** A version says whose it is in a field of its kind: `task_id`. */
type VersionOf<Name extends KindName> = Omit<VersionRow, 'owner_id'> & { [K in `${Name}_id`]: number } & {
  created_by_name: string | null
}

/** Saves documents, keeps their versions, and lists both: the same for every kind. */
export function createDocumentsService<Name extends KindName, Values extends DocumentValues, Row extends DocumentRow>(
  { store, events, clock }: Platform,
  { kind, documents, accept, ahead, users }: Parts<Name, Values, Row>,
) {
  const need = (id: number): Row => documents.get(id) ?? notFound()
  const needVersion = (id: number, version: number) => documents.version(id, version) ?? notFound()
  function checkTags(given: readonly string[] | undefined, before: readonly string[] = [], path = 'body.tags') {
    const mistakes = tagMistakes(given, before, path)
    if (mistakes.length > 0) invalid(mistakes)
  }
  /** A name that the record has `before` stays, so that it can be changed in all else. */
  function checkName(name: string, before?: string) {
    const cause = name === before ? undefined : nameMistake(name)
    if (cause) invalid([{ path: 'body.yaml_content', ...msg('name_mistake', { cause }) }])
  }
  const etagOf = ({ id, revision }: Row) => `${kind.name.replaceAll('_', '-')}-${id}-${revision}`
  const detail = (row: Row) => ({
    ...present(row),
    yaml_content: needVersion(row.id, row.current_version).yaml_content,
  })
  /** Tells of the change, and gives the record as it is now. */
  function changed(id: number): Row {
    const row = need(id)
    appendChanged(events, kind, row)
    return row
  }

  function addVersion(id: number, version: number, body: DocumentSave, refs: string, caller: Caller, at: string) {
    documents.insertVersion({
      owner_id: id,
      version,
      yaml_content: body.yaml_content,
      connector_refs: refs,
      change_summary: body.change_summary ?? null,
      created_by: caller.user_id,
      created_at: at,
    })
  }

  function save(row: Row, body: DocumentSave, caller: Caller): Row {
    const current = needVersion(row.id, row.current_version)
    const change = compare({ yaml_content: current.yaml_content, tags: row.tags }, body)
    if (change.kind === 'none') return row
    checkTags(body.tags, row.tags)
    const at = clock.iso()
    const tags = body.tags ?? row.tags
    if (change.kind === 'tags') {
      documents.update(row.id, undefined, { tags, updated_at: at })
    } else {
      const values = accept(body.yaml_content)
      checkName(values.name, row.name)
      keepNameUnique(kind.noun, values.name, documents.getByName(values.name), row.id)
      const version = documents.newestVersion(row.id) + 1
      addVersion(row.id, version, body, values.connector_refs, caller, at)
      documents.update(row.id, values, { current_version: version, tags, updated_at: at })
    }
    return changed(row.id)
  }

  function withAuthors(rows: VersionRow[]) {
    const names = users.usernames(rows.flatMap((row) => row.created_by ?? []))
    return rows.map(({ id, owner_id, ...row }) => {
      const created_by_name = names.get(row.created_by ?? 0) ?? null
      // A computed key is a string to the compiler.
      return { id, [`${kind.name}_id`]: owner_id, ...row, created_by_name } as unknown as VersionOf<Name>
    })
  }

  return {
    list(query: DocumentsQuery) {
      const { rows, ...page } = documents.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number) => detail(need(id)),
    ahead,
    /** As `ahead`, for a version that is to be restored. */
    versionAhead: (id: number, version: number, signal: AbortSignal) =>
      ahead(needVersion(id, version).yaml_content, signal),
    etag: (id: number) => etagOf(need(id)),

    /** Refuses text with errors (VALIDATION_ERROR) and a taken name (CONFLICT). */
    create: (body: DocumentSave, caller: Caller) =>
      store.transaction(() => {
        const values = accept(body.yaml_content)
        checkName(values.name)
        keepNameUnique(kind.noun, values.name, documents.getByName(values.name))
        checkTags(body.tags)
        const at = clock.iso()
        const id = documents.insert({
          ...values,
          current_version: 1,
          tags: body.tags ?? [],
          created_by: caller.user_id,
          created_at: at,
          updated_at: at,
        })
        addVersion(id, 1, body, values.connector_refs, caller, at)
        return detail(changed(id))
      }),

    /** `guard` sees the ETag of the stored document before anything changes, and refuses a stale one. */
    update: (id: number, body: DocumentSave, caller: Caller, guard: (etag: string) => void) =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        return detail(save(row, body, caller))
      }),

    /** A record keeps its version; refuses more tags than it may have. */
    tag: (id: number, change: TagChange) =>
      store.transaction(() => {
        const { tags } = need(id)
        checkTags(change.add, tags, 'body.add')
        const result = retagged(tags, change)
        const { length } = result.tags
        if (length > mostTags)
          invalid([{ path: 'body.add', ...msg('too_many_tags', { count: length, most: mostTags }) }])
        if (result.added.length + result.removed.length > 0) {
          documents.update(id, undefined, { tags: result.tags, updated_at: clock.iso() })
          changed(id)
        }
        return result
      }),

    setArchived: (id: number, archived: 0 | 1) =>
      store.transaction(() => {
        if (need(id).archived !== archived) {
          documents.update(id, undefined, { archived, updated_at: clock.iso() })
          changed(id)
        }
        return { success: true }
      }),

    listVersions(id: number, query: DocumentVersionsQuery) {
      need(id)
      const { rows, ...page } = documents.listVersions(id, query)
      return { result: withAuthors(rows), ...page }
    },
    version: (id: number, version: number) => withAuthors([needVersion(id, version)])[0] ?? notFound(),
    restoreVersion: (id: number, version: number, caller: Caller) =>
      store.transaction(() => {
        const row = need(id)
        const { yaml_content } = needVersion(id, version)
        return detail(save(row, { yaml_content, change_summary: `Restored version ${version}` }, caller))
      }),

    /** For starting and making: a version (the current one by default) with its text; undefined: there is none. */
    textOf(id: number, version?: number) {
      const row = documents.get(id)
      const found = row && documents.version(id, version ?? row.current_version)
      if (!found) return undefined
      const { name, current_version, archived } = row
      const { yaml_content } = found
      return { id, name, archived: archived === 1, current_version, version: found.version, yaml_content }
    },
  }
}

function present<Row extends DocumentRow>({ search_text: _, revision: __, ...record }: Row) {
  return record
}
