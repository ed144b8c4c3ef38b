import { type SQL, and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { DocumentVersionsQuery, DocumentsQuery } from '../../../contract/documents.ts'
import { keysetPage, sortOf } from '../keyset.ts'
import { searched, startsWith, tagged } from '../list-filters.ts'
import type { Store } from '../store.ts'
import { holdsText } from '../text-search.ts'
import type { DocumentRow, DocumentTable, VersionRow, VersionTable } from './documents.table.ts'

/** What a text says about its record. A kind adds the columns that it keeps of it. */
export interface DocumentValues {
  name: string
  description: string | null
  connector_refs: string
}
/** The rest of a record. */
interface Kept {
  current_version: number
  tags: string[]
  updated_at: string
}

interface Tables {
  table: DocumentTable
  versions: VersionTable
  /** What a record shows beside its columns. */
  computed?: Record<string, SQL.Aliased>
}

const searchText = ({ name, description }: DocumentValues) => `${name}\n${description ?? ''}`.toLowerCase()

/** Records and their versions. `Values`: what is kept of a text; `Row`: a record as it is read. */
export function createDocumentsStore<Values extends DocumentValues, Row extends DocumentRow>(
  store: Store,
  { table, versions, computed }: Tables,
) {
  const { db } = store
  const columns = getTableColumns(table)
  // With the columns and computed values of the kind, which the tables' common type does not name.
  const fields = { ...columns, ...computed }
  // Every start of a run asks these, and an import adds tens of thousands: building a query takes longer than answering it.
  const one = db
    .select(fields)
    .from(table)
    .where(eq(table.id, sql.placeholder('id')))
    .prepare()
  const byName = db
    .select()
    .from(table)
    .where(eq(table.name, sql.placeholder('name')))
    .prepare()
  const newRecord = db
    .insert(table)
    .values({ ...placeholders(columns), revision: 1 })
    .returning({ id: table.id })
    .prepare()
  const oneVersion = db
    .select()
    .from(versions)
    .where(and(eq(versions.owner_id, sql.placeholder('owner')), eq(versions.version, sql.placeholder('version'))))
    .prepare()
  const newVersion = db
    .insert(versions)
    .values(placeholders(getTableColumns(versions)))
    .prepare()
  const allTexts = db
    .select({ version: versions.version, yaml_content: versions.yaml_content })
    .from(versions)
    .where(eq(versions.owner_id, sql.placeholder('owner')))
    .prepare()
  const newest = db
    .select({ version: versions.version })
    .from(versions)
    .where(eq(versions.owner_id, sql.placeholder('owner')))
    .orderBy(desc(versions.version))
    .limit(1)
    .prepare()
  const currentYamlHolds = (words: string) => sql`EXISTS (
    SELECT 1 FROM ${versions} WHERE ${versions.owner_id} = ${table.id} AND ${versions.version} = ${table.current_version}
      AND ${holdsText(versions.yaml_content, words)})`
  const sortColumns = { created_at: table.id, name: table.name, updated_at: table.updated_at } as const

  return {
    list(query: DocumentsQuery) {
      return keysetPage<Row>({
        store,
        table,
        select: fields,
        where: and(
          eq(table.archived, query.archived ? 1 : 0),
          searched(table.search_text, query.q),
          query.yaml ? currentYamlHolds(query.yaml) : undefined,
          startsWith(table.search_text, query.starts_with),
          tagged(table.tags, query.tag),
        ),
        sort: sortOf(query, sortColumns),
        cursor: query.cursor,
        limit: query.limit,
      })
    },

    // The kind says what its columns and computed values are.
    get: (id: number) => one.get({ id }) as Row | undefined,
    getByName: (name: string): DocumentRow | undefined => byName.get({ name }),

    // An object: the columns of the kind are known to its type alone.
    insert: (record: Values & Kept & Pick<DocumentRow, 'created_by' | 'created_at'>, archived: 0 | 1 = 0): number =>
      newRecord.get({ ...(record as object), search_text: searchText(record), archived }).id,

    /** Without `values` what is kept of the text stays. */
    update(id: number, values: Values | undefined, change: Partial<Kept> & { archived?: 0 | 1 }): void {
      db.update(table)
        .set({
          ...values,
          ...change,
          ...(values && { search_text: searchText(values) }),
          revision: sql`${table.revision} + 1`,
        })
        .where(eq(table.id, id))
        .run()
    },

    insertVersion: (version: Omit<VersionRow, 'id'>) => void newVersion.run(version),

    /** Number → text of every version. */
    texts: (id: number): Map<number, string> =>
      new Map(allTexts.all({ owner: id }).map((row) => [row.version, row.yaml_content])),

    version: (id: number, version: number): VersionRow | undefined => oneVersion.get({ owner: id, version }),

    listVersions: (id: number, query: DocumentVersionsQuery) =>
      keysetPage({
        store,
        table: versions,
        where: eq(versions.owner_id, id),
        sort: [{ column: versions.version, direction: 'desc' }],
        cursor: query.cursor,
        limit: query.limit,
      }),

    /** Newest version number ever made, which is not the current one after an import that keeps history. */
    newestVersion: (id: number) => newest.get({ owner: id })?.version ?? 0,
  }
}
export type DocumentsStore<Values extends DocumentValues, Row extends DocumentRow> = ReturnType<
  typeof createDocumentsStore<Values, Row>
>

/** One for every column but the id, which the store gives. */
function placeholders<C extends Record<string, unknown>>(columns: C) {
  const names = Object.keys(columns).filter((name) => name !== 'id')
  // One for each key, so all that an insert needs is there.
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<
    Exclude<keyof C, 'id'>,
    ReturnType<typeof sql.placeholder>
  >
}
