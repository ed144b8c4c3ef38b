import { and, desc, eq, lt, lte } from 'drizzle-orm'
import type { listQueryHistory } from '../../../contract/query-history.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type QueryHistoryRow, queryHistory as history } from './query-history.table.ts'

export function createQueryHistoryStore(store: Store) {
  const { db } = store
  return {
    list(userId: number, connectorId: number, { q, cursor, limit }: QueryOf<typeof listQueryHistory>) {
      return keysetPage<QueryHistoryRow>({
        store,
        table: history,
        where: and(
          eq(history.user_id, userId),
          eq(history.connector_id, connectorId),
          searched(history.search_text, q),
        ),
        sort: [{ column: history.id, direction: 'desc' }],
        cursor,
        limit,
      })
    },
    insert: (entry: Omit<QueryHistoryRow, 'id' | 'search_text'>): void =>
      void db
        .insert(history)
        .values({ ...entry, search_text: entry.text.toLowerCase() })
        .run(),
    /** What is older, and what is more than so many of one user. */
    prune(userId: number, most: number, before: string): void {
      db.delete(history).where(lt(history.at, before)).run()
      const [first] = db
        .select({ id: history.id })
        .from(history)
        .where(eq(history.user_id, userId))
        .orderBy(desc(history.id))
        .offset(most)
        .limit(1)
        .all()
      if (first)
        db.delete(history)
          .where(and(eq(history.user_id, userId), lte(history.id, first.id)))
          .run()
    },
  }
}
