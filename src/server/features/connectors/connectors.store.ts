import { and, eq, sql, isNotNull } from 'drizzle-orm'
import type { listConnectors } from '../../../contract/connectors.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage, sortOf } from '../../platform/keyset.ts'
import { searched, startsWith } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type ConnectorRow, connectors } from './connectors.table.ts'

type NewConnector = Omit<ConnectorRow, 'id' | 'search_text' | 'revision' | 'archived' | 'last_test' | 'last_test_at'>

export function createConnectorsStore(store: Store) {
  const { db } = store
  // Every start of a run asks these: put together once, as building a query takes longer than answering it.
  const one = db
    .select()
    .from(connectors)
    .where(eq(connectors.id, sql.placeholder('id')))
    .prepare()
  const searchText = (c: { name: string; type: string; description: string | null }) =>
    `${c.name}\n${c.type}\n${c.description ?? ''}`.toLowerCase()

  return {
    list(query: QueryOf<typeof listConnectors>) {
      const where = and(
        eq(connectors.archived, query.archived ? 1 : 0),
        query.type ? eq(connectors.type, query.type) : undefined,
        query.environment ? eq(connectors.environment, query.environment) : undefined,
        searched(connectors.search_text, query.q),
        startsWith(connectors.search_text, query.starts_with),
      )
      return keysetPage<ConnectorRow>({
        store,
        table: connectors,
        where,
        sort: sortOf(query, { created_at: connectors.id, name: connectors.name }).map((one) => ({
          ...one,
          anyCase: one.column === connectors.name,
        })),
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    get: (id: number) => one.get({ id }),
    getByName: (name: string) => db.select().from(connectors).where(eq(connectors.name, name)).get(),
    /** Those in use, by their age. */
    ofType: (type: ConnectorRow['type']) =>
      db
        .select()
        .from(connectors)
        .where(and(eq(connectors.type, type), eq(connectors.archived, 0)))
        .orderBy(connectors.id)
        .all(),
    /** Archived ones, too. */
    withSecrets: () => db.select().from(connectors).where(isNotNull(connectors.sealed_secrets)).all(),
    getMany: (ids: number[]) => [...new Set(ids)].flatMap((id) => one.get({ id }) ?? []),
    insert: (connector: NewConnector) =>
      db
        .insert(connectors)
        .values({ ...connector, search_text: searchText(connector), revision: 1, archived: 0 })
        .returning()
        .get(),
    save: (id: number, change: Omit<NewConnector, 'created_at'>) =>
      db
        .update(connectors)
        .set({ ...change, search_text: searchText(change), revision: sql`${connectors.revision} + 1` })
        .where(eq(connectors.id, id))
        .returning()
        .get(),
    setArchived: (id: number, archived: 0 | 1, at: string) =>
      db
        .update(connectors)
        .set({ archived, updated_at: at, revision: sql`${connectors.revision} + 1` })
        .where(eq(connectors.id, id))
        .run(),
    /** Leaves the revision alone: a test is no edit, and must not make somebody's open form stale. */
    setLastTest: (id: number, last_test: ConnectorRow['last_test'], last_test_at: string) =>
      db.update(connectors).set({ last_test, last_test_at }).where(eq(connectors.id, id)).run(),
  }
}
