import { msg } from '../../../contract/messages.ts'
import type {
  Notification,
  NotificationDelivery,
  createNotification,
  listNotificationDeliveries,
  listNotifications,
  updateNotification,
} from '../../../contract/notifications.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import { contentTag } from '../../platform/content-tag.ts'
import type { Platform } from '../../platform/platform.ts'
import { keepNameUnique, recordName } from '../../platform/record-name.ts'
import { recordSecrets } from '../../platform/record-secrets.ts'
import { Refusal, invalid, notFound } from '../../platform/refusal.ts'
import { notificationSecretsContext } from '../../platform/sealed-columns.ts'
import { secretsToEnterAgain } from '../../platform/secret-places.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import { channelMistakes, completed, placesOf, secretMistakes } from './channel-config.rules.ts'
import { createDeliveries } from './deliveries.ts'
import { createDeliveriesStore } from './deliveries.store.ts'
import { type JobRunUpdate, eventsOfEnd } from './notifications.rules.ts'
import { createNotificationsStore } from './notifications.store.ts'
import type { ChannelRow } from './notifications.table.ts'

export type { JobRunUpdate, MetricUpdate } from './notifications.rules.ts'

interface Dependencies {
  jobs: Pick<JobsService, 'forRun' | 'heldSnapshot'>
}

export function createNotificationsService(platform: Platform, { jobs }: Dependencies) {
  const { store, clock, events } = platform
  const sealed = recordSecrets(platform.secrets, 'channel', notificationSecretsContext)
  const channels = createNotificationsStore(store)
  const deliveries = createDeliveriesStore(store)

  const need = (id: number): ChannelRow => channels.get(id) ?? notFound()
  const changed = (row: Pick<ChannelRow, 'id' | 'name'>, removed = false) =>
    events.append('notification.changed', row.id, { name: row.name, removed })

  function present(channel: ChannelRow): Notification {
    const { sealed_secrets: _, secret_names: __, ...row } = channel
    const last = deliveries.newestOf(row.id)
    return {
      ...row,
      secrets: sealed.shown(channel),
      last_delivery: last ? { status: last.status, at: last.updated_at } : null,
    }
  }

  const sent = createDeliveries(platform, {
    channels,
    deliveries,
    openSecrets: sealed.open,
    notifyOf: (snapshotId) => jobs.heldSnapshot(snapshotId).document.notify,
  })

  function nameOf(given: string, row?: ChannelRow): string {
    const name = recordName(given, { before: row?.name })
    keepNameUnique('channel', name, channels.getByName(name), row?.id)
    return name
  }
  function isJob(id: number): boolean {
    try {
      return jobs.forRun(id).id === id
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return false
      throw error
    }
  }
  function jobIds(given: readonly number[] | null): number[] | null {
    if (given === null) return null
    const details = given.flatMap((id, at) =>
      isJob(id) ? [] : [{ path: `body.job_ids[${at}]`, ...msg('no_job_id', { id }) }],
    )
    if (details.length > 0) invalid(details)
    return [...new Set(given)]
  }
  /** The settings of a stored channel with changes. Its secrets go nowhere else unless they are given again. */
  function changedSettings(row: ChannelRow, config: Record<string, unknown>, given: Record<string, string>) {
    const stored = sealed.openFor(row, given)
    const secrets = { ...stored, ...given }
    const saved = settings(row.type, config, secrets)
    const kept = Object.keys(stored).filter((name) => name !== 'url' && !Object.hasOwn(given, name))
    const places = [placesOf(row.type, row.config, stored), placesOf(row.type, config, secrets)] as const
    const details = secretsToEnterAgain(...places, kept)
    if (details.length > 0) invalid(details)
    return saved
  }
  /** Config and secrets belong together: one may need the other. An empty secret is taken away. */
  function settings(type: ChannelRow['type'], given: Record<string, unknown>, secrets: Record<string, string>) {
    const config = completed(type, given)
    const held = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''))
    const details = [...secretMistakes(type, held), ...channelMistakes(type, config, held)]
    if (details.length > 0) invalid(details)
    const names = Object.keys(held).toSorted()
    return {
      config,
      secret_names: names,
      sealed_secrets: sealed.seal(held),
    }
  }

  return {
    list(query: QueryOf<typeof listNotifications>) {
      const { rows, ...page } = channels.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number): Notification => present(need(id)),
    etag: (id: number): string => contentTag(need(id)),

    create: (body: BodyOf<typeof createNotification>, caller: Caller): Notification =>
      store.transaction(() => {
        const row = channels.insert({
          name: nameOf(body.name),
          type: body.type,
          ...settings(body.type, body.config ?? {}, body.secrets ?? {}),
          on: body.on ?? [],
          job_ids: jobIds(body.job_ids ?? null),
          enabled: body.enabled === false ? 0 : 1,
          created_by: caller.user_id,
          created_at: clock.iso(),
          updated_at: null,
        })
        changed(row)
        return present(row)
      }),
    /** `guard` sees the ETag of the stored channel before anything changes, and refuses a stale one. */
    update: (id: number, body: BodyOf<typeof updateNotification>, guard: (etag: string) => void): Notification =>
      store.transaction(() => {
        const row = need(id)
        guard(contentTag(row))
        const at = clock.iso()
        const saved = channels.save(id, {
          ...(body.name !== undefined && { name: nameOf(body.name, row) }),
          ...((body.config || body.secrets) && changedSettings(row, body.config ?? row.config, body.secrets ?? {})),
          ...(body.on && { on: body.on }),
          ...(body.job_ids !== undefined && { job_ids: jobIds(body.job_ids) }),
          ...(body.enabled !== undefined && { enabled: body.enabled ? 1 : 0 }),
          updated_at: at,
        })
        // Old notifications sent when it is enabled again would mislead.
        if (!saved.enabled) deliveries.giveUp(id, msg('channel_switched_off'), at)
        changed(saved)
        return present(saved)
      }),
    remove: (id: number) =>
      store.transaction(() => {
        const row = need(id)
        channels.remove(id)
        changed(row, true)
        return { success: true }
      }),

    test: (id: number): Promise<NotificationDelivery> => sent.test(need(id)),
    deliveries: (id: number, query: QueryOf<typeof listNotificationDeliveries>) => sent.list(need(id), query),
    retry: (id: number, deliveryId: number): NotificationDelivery =>
      store.transaction(() => sent.retry(need(id), deliveryId)),

    /** Names that templates can notify. */
    channelNames: (): string[] => channels.names(),
    /** In the transaction in which a job run ends: what is to be told is stored with it. */
    jobRunEnded: (run: JobRunUpdate): void => sent.send(run, eventsOfEnd(run)),
    jobRunLate: (run: JobRunUpdate): void => sent.send(run, ['late']),
    /** In the transaction in which a gate begins to wait. */
    gateWaits: (run: JobRunUpdate): void => sent.send(run, ['waiting_for_approval']),
    /** In the transaction in which a custom metric is violated, or is no longer. */
    metricChanged: sent.sendMetric,

    /** From now on what is due is sent. */
    start: sent.start,
    settled: sent.worker.settled,
    ended: sent.worker.ended,
  }
}
export type NotificationsService = ReturnType<typeof createNotificationsService>
