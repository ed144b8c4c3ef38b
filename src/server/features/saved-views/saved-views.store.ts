import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { ViewedList } from '../../../contract/saved-views.ts'
import type { Store } from '../../platform/store.ts'
import { type SavedViewRow, savedViews as views } from './saved-views.table.ts'

export function createSavedViewsStore({ db }: Store) {
  const ofList = (userId: number, list: ViewedList) => and(eq(views.user_id, userId), eq(views.list, list))
  return {
    list: (userId: number, list: ViewedList | undefined): SavedViewRow[] =>
      db
        .select()
        .from(views)
        .where(list ? ofList(userId, list) : eq(views.user_id, userId))
        .orderBy(asc(views.list), sql`${views.name} COLLATE NOCASE`, asc(views.id))
        .all(),
    /** Only one's own. */
    get: (id: number, userId: number): SavedViewRow | undefined =>
      db
        .select()
        .from(views)
        .where(and(eq(views.id, id), eq(views.user_id, userId)))
        .get(),
    count: (userId: number, list: ViewedList): number =>
      db.select({ n: count() }).from(views).where(ofList(userId, list)).get()?.n ?? 0,
    /** Whether another view of the list has the name. */
    isTaken: ({
      id,
      user_id,
      list,
      name,
    }: Pick<SavedViewRow, 'user_id' | 'list' | 'name'> & { id?: number }): boolean =>
      db
        .select({ id: views.id })
        .from(views)
        .where(
          and(
            ofList(user_id, list),
            sql`${views.name} = ${name} COLLATE NOCASE`,
            id === undefined ? undefined : ne(views.id, id),
          ),
        )
        .get() !== undefined,
    insert: (view: Omit<SavedViewRow, 'id' | 'updated_at'>): SavedViewRow =>
      db.insert(views).values(view).returning().get(),
    save: (id: number, change: Pick<SavedViewRow, 'name' | 'address' | 'updated_at'>): SavedViewRow =>
      db.update(views).set(change).where(eq(views.id, id)).returning().get(),
    remove: (id: number): void => void db.delete(views).where(eq(views.id, id)).run(),
  }
}
