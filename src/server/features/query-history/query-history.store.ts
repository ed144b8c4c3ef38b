import { and, asc, count, desc, eq, gt, inArray, lt, lte } from 'drizzle-orm'
import type { listQueryHistory } from '../../../contract/query-history.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type QueryHistoryRow, queryHistory as history } from './query-history.table.ts'

export function createQueryHistoryStore(store: Store) {
  const { db } = store
  const of = (userId: number, connectorId: number) =>
    and(eq(history.user_id, userId), eq(history.connector_id, connectorId))
  return {
    list(userId: number, connectorId: number, { q, cursor, limit }: QueryOf<typeof listQueryHistory>) {
      return keysetPage<QueryHistoryRow>({
        store,
        table: history,
        where: and(of(userId, connectorId), searched(history.search_text, q)),
        sort: [{ column: history.id, direction: 'desc' }],
        cursor,
        limit,
      })
    },
    insert: (entry: Omit<QueryHistoryRow, 'id' | 'search_text'>): number =>
      db
        .insert(history)
        .values({ ...entry, search_text: entry.text.toLowerCase() })
        .returning({ id: history.id })
        .get().id,
    noteRows: (id: number, rows: number): void => void db.update(history).set({ rows }).where(eq(history.id, id)).run(),
    remove: (userId: number, connectorId: number, id: number): boolean =>
      db
        .delete(history)
        .where(and(of(userId, connectorId), eq(history.id, id)))
        .run().changes > 0,
    clear: (userId: number, connectorId: number): void => void db.delete(history).where(of(userId, connectorId)).run(),

    /** Each removes at most so many entries, oldest first, and gives how many. */
    dropBefore(before: string, limit: number): number {
      const old = db.select({ id: history.id }).from(history).where(lt(history.at, before)).orderBy(asc(history.at))
      return db
        .delete(history)
        .where(inArray(history.id, old.limit(limit)))
        .run().changes
    },
    dropBeyond(userId: number, most: number, limit: number): number {
      const own = db.select({ id: history.id }).from(history).where(eq(history.user_id, userId))
      const [newest] = own.orderBy(desc(history.id)).offset(most).limit(1).all()
      if (!newest) return 0
      const beyond = db
        .select({ id: history.id })
        .from(history)
        .where(and(eq(history.user_id, userId), lte(history.id, newest.id)))
      return db
        .delete(history)
        .where(inArray(history.id, beyond.orderBy(asc(history.id)).limit(limit)))
        .run().changes
    },
    usersWithMore: (most: number): number[] =>
      db
        .select({ user: history.user_id })
        .from(history)
        .groupBy(history.user_id)
        .having(gt(count(), most))
        .all()
        .map(({ user }) => user),
  }
}
