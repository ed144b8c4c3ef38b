import type {
  Notification,
  NotificationDelivery,
  createNotification,
  listNotificationDeliveries,
  listNotifications,
  updateNotification,
} from '../../../contract/notifications.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { NotifyEvent, NotifyRule } from '../../../language/job/job.types.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordName } from '../../platform/record-name.ts'
import { Refusal, conflict, invalid, invalidState, notFound, unavailable } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import { channelMistakes, completed, secretMistakes } from './channel-config.rules.ts'
import { createDeliveriesStore } from './deliveries.store.ts'
import { createDeliveryWorker } from './delivery-worker.ts'
import { bodyOf, titleOf } from './mail-text.rules.ts'
import {
  type Attempt,
  type JobRunNews,
  type News,
  eventsOfEnd,
  newsOf,
  testNews,
  toldOf,
} from './notifications.rules.ts'
import { createNotificationsStore } from './notifications.store.ts'
import type { ChannelRow, DeliveryRow } from './notifications.table.ts'
import { sendMail } from './send-mail.ts'
import { sendWebhook } from './send-webhook.ts'

export type { JobRunNews } from './notifications.rules.ts'

interface Dependencies {
  jobs: Pick<JobsService, 'forRun' | 'heldSnapshot'>
}

/** Deliveries that are kept of each channel. */
const kept = 1_000
const sealContext = 'notification.secrets'

export function createNotificationsService(platform: Platform, { jobs }: Dependencies) {
  const { store, clock, ids, events, logger, secrets: box, draining, version } = platform
  const channels = createNotificationsStore(store)
  const deliveries = createDeliveriesStore(store)

  const need = (id: number): ChannelRow => channels.get(id) ?? notFound()
  const openSecrets = (row: Pick<ChannelRow, 'sealed_secrets'>): Record<string, string> =>
    // What was sealed: a flat object of strings.
    row.sealed_secrets ? (JSON.parse(box.open(row.sealed_secrets, sealContext)) as Record<string, string>) : {}
  const changed = (row: Pick<ChannelRow, 'id' | 'name'>, removed = false) =>
    events.append('notification.changed', row.id, { name: row.name, removed })

  function present({ sealed_secrets: _, secret_names, ...row }: ChannelRow): Notification {
    const last = deliveries.newestOf(row.id)
    return {
      ...row,
      secrets: Object.fromEntries(secret_names.map((name) => [name, { set: true }])),
      last_delivery: last ? { status: last.status, at: last.updated_at } : null,
    }
  }

  const worker = createDeliveryWorker(platform, {
    deliveries,
    changed: ({ notification_id, id, status }) =>
      events.append('notification.changed', notification_id, { delivery_id: id, delivery_status: status }),
    async send(delivery, { type, config, ...row }): Promise<Attempt> {
      if (type === 'desktop') {
        store.transaction(() => show(delivery))
        return { kind: 'delivered', note: null }
      }
      const sending = { delivery, config, secrets: openSecrets(row), now: clock.now(), version, signal: draining }
      return type === 'webhook' ? sendWebhook(sending) : sendMail(sending)
    },
  })

  function show({ id, notification_id, news, job_id, job_run_id }: DeliveryRow): void {
    const path = news.job_run?.path ?? null
    const what = { title: titleOf(news), body: bodyOf(news), path, event: news.event, job_id, job_run_id }
    events.append('notification.desktop', notification_id, { ...what, delivery_id: id })
  }

  /** Desktops are told at once, in the transaction of the news itself; everybody else by the worker. */
  function enqueue(channel: ChannelRow, news: News): void {
    const at = clock.iso()
    const atOnce = channel.type === 'desktop'
    const delivery = deliveries.insert({
      notification_id: channel.id,
      event: news.event,
      job_id: news.job?.id ?? null,
      job_run_id: news.job_run?.id ?? null,
      news,
      message_key: ids.uuid(),
      status: 'pending',
      next_attempt_at: atOnce ? null : at,
      delivered_at: null,
      created_at: at,
    })
    if (atOnce) {
      show(delivery)
      deliveries.delivered(delivery.id, 1, null, at)
    }
    deliveries.prune(channel.id, kept)
    const delivery_status = atOnce ? 'delivered' : 'pending'
    events.append('notification.changed', channel.id, { delivery_id: delivery.id, delivery_status })
  }

  function tell(run: JobRunNews, happened: readonly NotifyEvent[]): void {
    const listening = channels.enabled()
    if (listening.length === 0) return
    const notify = rulesOf(run)
    for (const channel of listening) {
      for (const event of toldOf(channel, happened, run.job_id, notify))
        enqueue(channel, newsOf(event, run, clock.iso()))
    }
    worker.changed()
  }
  /** A template that cannot be read any more must not keep its job run from ending. */
  function rulesOf({ snapshot_id, id }: JobRunNews): readonly NotifyRule[] {
    try {
      return jobs.heldSnapshot(snapshot_id).document.notify
    } catch (error) {
      logger.warn({ err: error, job_run_id: id }, 'Whom the template wants told could not be read')
      return []
    }
  }

  function nameOf(given: string, id?: number): string {
    const name = recordName(given)
    const other = channels.getByName(name)
    if (other && other.id !== id)
      conflict(`A channel named ${JSON.stringify(name)} exists already (id ${other.id}). Choose another name.`)
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
      isJob(id) ? [] : [{ path: `body.job_ids[${at}]`, message: `There is no job with id ${id}` }],
    )
    if (details.length > 0) invalid(details)
    return [...new Set(given)]
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
      sealed_secrets: names.length > 0 ? box.seal(JSON.stringify(held), sealContext) : null,
    }
  }

  function ofChannel(id: number, deliveryId: number): DeliveryRow {
    const row = deliveries.get(deliveryId)
    return row?.notification_id === need(id).id ? row : notFound()
  }

  return {
    list(query: QueryOf<typeof listNotifications>) {
      const { rows, ...page } = channels.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number): Notification => present(need(id)),

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
    update: (id: number, body: BodyOf<typeof updateNotification>): Notification =>
      store.transaction(() => {
        const row = need(id)
        const at = clock.iso()
        const secrets = { ...openSecrets(row), ...body.secrets }
        const saved = channels.save(id, {
          ...(body.name !== undefined && { name: nameOf(body.name, id) }),
          ...((body.config || body.secrets) && settings(row.type, body.config ?? row.config, secrets)),
          ...(body.on && { on: body.on }),
          ...(body.job_ids !== undefined && { job_ids: jobIds(body.job_ids) }),
          ...(body.enabled !== undefined && { enabled: body.enabled ? 1 : 0 }),
          updated_at: at,
        })
        // Old news that come when it is switched on again would mislead.
        if (!saved.enabled) deliveries.giveUp(id, 'The channel was switched off', at)
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

    /** Also of a channel that is switched off: that is how one tries it before. */
    async test(id: number): Promise<NotificationDelivery> {
      const channel = need(id)
      const news = testNews(clock.iso())
      const made = { job_id: null, job_run_id: null, next_attempt_at: null, delivered_at: null }
      const delivery = store.transaction(() => {
        const row = deliveries.insert({
          ...made,
          notification_id: id,
          event: 'test',
          news,
          message_key: ids.uuid(),
          status: 'pending',
          created_at: news.occurred_at,
        })
        deliveries.prune(id, kept)
        return row
      })
      try {
        return presentDelivery((await worker.once(delivery, channel)) ?? notFound())
      } catch (error) {
        if (draining.aborted) unavailable('The server is ending')
        throw error
      }
    },
    deliveries(id: number, query: QueryOf<typeof listNotificationDeliveries>) {
      const { rows, ...page } = deliveries.list(need(id).id, query)
      return { result: rows.map(presentDelivery), ...page }
    },
    retry: (id: number, deliveryId: number): NotificationDelivery =>
      store.transaction(() => {
        const { status } = ofChannel(id, deliveryId)
        const channel = need(id)
        if (!channel.enabled) invalidState('The channel is switched off: switch it on first.')
        if (status !== 'failed') invalidState(`This delivery is ${status}: only a failed one is sent again.`)
        const row = deliveries.sendAgain(deliveryId, clock.iso()) ?? notFound()
        changed(channel)
        worker.changed()
        return presentDelivery(row)
      }),

    /** Names that templates can notify. */
    channelNames: (): string[] => channels.names(),
    /** In the transaction in which a job run ends: what is to be told is stored with it. */
    jobRunEnded: (run: JobRunNews): void => tell(run, eventsOfEnd(run)),
    jobRunLate: (run: JobRunNews): void => tell(run, ['late']),

    start(): void {
      store.transaction(() => deliveries.giveUpTests('The server ended while it was sent', clock.iso()))
      worker.start()
    },
    settled: worker.settled,
    ended: worker.ended,
  }
}
export type NotificationsService = ReturnType<typeof createNotificationsService>

function presentDelivery({ news: _, message_key: __, updated_at: ___, ...row }: DeliveryRow): NotificationDelivery {
  return row
}
