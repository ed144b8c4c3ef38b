import type { Message } from '../../../contract/messages.ts'
import { keptError } from '../../platform/kept-error.ts'
import { and, asc, desc, eq, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type { listNotificationDeliveries } from '../../../contract/notifications.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type DeliveryRow, deliveries, notifications } from './notifications.table.ts'

export type NewDelivery = Omit<DeliveryRow, 'id' | 'attempts' | 'error_message' | 'error_params' | 'updated_at'>

export function createDeliveriesStore(store: Store) {
  const { db, sqlite } = store
  const insert = db
    .insert(deliveries)
    .values({
      notification_id: sql.placeholder('notification_id'),
      event: sql.placeholder('event'),
      job_id: sql.placeholder('job_id'),
      job_run_id: sql.placeholder('job_run_id'),
      content: sql.placeholder('content'),
      message_key: sql.placeholder('message_key'),
      status: sql.placeholder('status'),
      attempts: 0,
      next_attempt_at: sql.placeholder('next_attempt_at'),
      delivered_at: sql.placeholder('delivered_at'),
      created_at: sql.placeholder('created_at'),
      updated_at: sql.placeholder('created_at'),
    })
    .returning()
    .prepare()
  // What still waits is never pruned: its attempts end by themselves.
  const prune = sqlite.prepare<[number, number, number]>(`
    DELETE FROM notification_deliveries WHERE notification_id = ? AND status <> 'pending' AND id <= (
      SELECT id FROM notification_deliveries WHERE notification_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`)
  const ofPending = (id: number) => and(eq(deliveries.id, id), eq(deliveries.status, 'pending'))

  return {
    list(notificationId: number, query: QueryOf<typeof listNotificationDeliveries>) {
      const where = and(
        eq(deliveries.notification_id, notificationId),
        query.status ? eq(deliveries.status, query.status) : undefined,
      )
      return keysetPage({
        store,
        table: deliveries,
        where,
        sort: [{ column: deliveries.id, direction: 'desc' }],
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    get: (id: number): DeliveryRow | undefined => db.select().from(deliveries).where(eq(deliveries.id, id)).get(),
    newestOf: (notificationId: number): DeliveryRow | undefined =>
      db
        .select()
        .from(deliveries)
        .where(eq(deliveries.notification_id, notificationId))
        .orderBy(desc(deliveries.id))
        .limit(1)
        .get(),
    insert: (delivery: NewDelivery): DeliveryRow => insert.get(delivery),
    prune: (notificationId: number, keep: number): void => void prune.run(notificationId, notificationId, keep),

    /** The one that has been due for longest, of channels that are not busy. */
    due: (now: string, busy: readonly number[]) =>
      db
        .select({ delivery: deliveries, channel: notifications })
        .from(deliveries)
        .innerJoin(notifications, eq(notifications.id, deliveries.notification_id))
        .where(and(lte(deliveries.next_attempt_at, now), notInArray(deliveries.notification_id, [...busy])))
        .orderBy(asc(deliveries.next_attempt_at), asc(deliveries.id))
        .limit(1)
        .get(),
    earliest: (busy: readonly number[]): string | null =>
      db
        .select({ at: deliveries.next_attempt_at })
        .from(deliveries)
        .where(and(isNotNull(deliveries.next_attempt_at), notInArray(deliveries.notification_id, [...busy])))
        .orderBy(asc(deliveries.next_attempt_at))
        .limit(1)
        .get()?.at ?? null,

    /** Whatever was decided meanwhile: it has arrived. */
    delivered: (id: number, attempts: number, note: Message | null, at: string): DeliveryRow | undefined =>
      db
        .update(deliveries)
        .set({
          status: 'delivered',
          attempts,
          next_attempt_at: null,
          delivered_at: at,
          ...errorOf(note),
          updated_at: at,
        })
        .where(eq(deliveries.id, id))
        .returning()
        .get(),
    /** It will be tried again at `nextAttemptAt`; null: it has failed. */
    refused: (id: number, attempts: number, reason: Message, nextAttemptAt: string | null, at: string) =>
      db
        .update(deliveries)
        .set({
          status: nextAttemptAt === null ? 'failed' : 'pending',
          attempts,
          next_attempt_at: nextAttemptAt,
          ...errorOf(reason),
          updated_at: at,
        })
        .where(ofPending(id))
        .returning()
        .get(),
    sendAgain: (id: number, at: string): DeliveryRow | undefined =>
      db
        .update(deliveries)
        .set({ status: 'pending', attempts: 0, next_attempt_at: at, updated_at: at })
        .where(and(eq(deliveries.id, id), eq(deliveries.status, 'failed')))
        .returning()
        .get(),
    /** Everything of a channel that waits is given up. */
    giveUp: (notificationId: number, reason: Message, at: string): void =>
      void db
        .update(deliveries)
        .set({ status: 'failed', next_attempt_at: null, ...errorOf(reason), updated_at: at })
        .where(and(eq(deliveries.notification_id, notificationId), isNotNull(deliveries.next_attempt_at)))
        .run(),
    /** Tests whose request ended with the server that sent them. */
    giveUpTests: (reason: Message, at: string): void =>
      void db
        .update(deliveries)
        .set({ status: 'failed', ...errorOf(reason), updated_at: at })
        .where(and(eq(deliveries.status, 'pending'), isNull(deliveries.next_attempt_at)))
        .run(),
  }
}
function errorOf(reason: Message | null) {
  const kept = reason && keptError(reason)
  return { error_message: kept?.message ?? null, error_params: kept?.params ?? null }
}

export type DeliveriesStore = ReturnType<typeof createDeliveriesStore>
