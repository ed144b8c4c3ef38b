import { asc, eq } from 'drizzle-orm'
import type { listNotifications } from '../../../contract/notifications.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type ChannelRow, notifications } from './notifications.table.ts'

type NewChannel = Omit<ChannelRow, 'id'>

export function createNotificationsStore(store: Store) {
  const { db } = store
  // Every end of a job run asks this: put together once.
  const enabled = db.select().from(notifications).where(eq(notifications.enabled, 1)).prepare()

  return {
    list: (query: QueryOf<typeof listNotifications>) =>
      keysetPage({
        store,
        table: notifications,
        where: undefined,
        sort: [{ column: notifications.id, direction: 'desc' }],
        cursor: query.cursor,
        limit: query.limit,
      }),
    get: (id: number): ChannelRow | undefined => db.select().from(notifications).where(eq(notifications.id, id)).get(),
    getByName: (name: string): ChannelRow | undefined =>
      db.select().from(notifications).where(eq(notifications.name, name)).get(),
    names: (): string[] =>
      db
        .select({ name: notifications.name })
        .from(notifications)
        .orderBy(asc(notifications.name))
        .all()
        .map(({ name }) => name),
    enabled: (): ChannelRow[] => enabled.all(),
    insert: (channel: NewChannel): ChannelRow => db.insert(notifications).values(channel).returning().get(),
    save: (id: number, change: Partial<NewChannel>): ChannelRow =>
      db.update(notifications).set(change).where(eq(notifications.id, id)).returning().get(),
    remove: (id: number): void => void db.delete(notifications).where(eq(notifications.id, id)).run(),
  }
}
export type NotificationsStore = ReturnType<typeof createNotificationsStore>
