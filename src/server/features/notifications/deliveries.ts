import { runMessage } from '../../../contract/run-messages.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import type { NotificationDelivery, listNotificationDeliveries } from '../../../contract/notifications.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { NotifyEvent, NotifyRule } from '../../../language/job/job.types.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalidState, notFound, unavailable } from '../../platform/refusal.ts'
import { shownParams } from '../../platform/kept-error.ts'
import type { DeliveriesStore } from './deliveries.store.ts'
import { createDeliveryWorker } from './delivery-worker.ts'
import { bodyOf, titleOf } from './mail-text.rules.ts'
import {
  type Attempt,
  type JobRunNews,
  type MetricNews,
  type News,
  newsOf,
  newsOfMetric,
  testNews,
  eventsOf,
} from './notifications.rules.ts'
import type { NotificationsStore } from './notifications.store.ts'
import type { ChannelRow, DeliveryRow } from './notifications.table.ts'
import { sendMail } from './send-mail.ts'
import { sendWebhook } from './send-webhook.ts'

/** Of the page of channels, for news of no job run. */
const channelsPath = '/settings/notifications'
/** Deliveries that are kept of each channel. */
const kept = 1_000

interface Parts {
  channels: NotificationsStore
  deliveries: DeliveriesStore
  /** Refuses when they cannot be read. */
  openSecrets(row: ChannelRow): Record<string, string>
  /** What the template of a snapshot asks for. */
  notifyOf(snapshotId: number): readonly NotifyRule[]
}

/** What is sent: written with the news, then sent until it has arrived or is given up. */
export function createDeliveries(platform: Platform, { channels, deliveries, openSecrets, notifyOf }: Parts) {
  const { store, clock, ids, events, logger, draining, version } = platform

  const changed = ({ notification_id, id, status }: Pick<DeliveryRow, 'notification_id' | 'id' | 'status'>) =>
    events.append('notification.changed', notification_id, { delivery_id: id, delivery_status: status })

  const worker = createDeliveryWorker(platform, {
    deliveries,
    changed,
    async send(delivery, channel): Promise<Attempt> {
      const { type, config } = channel
      if (type === 'desktop') {
        store.transaction(() => show(delivery))
        return { kind: 'delivered', note: null }
      }
      const secrets = secretsOf(channel)
      // Tried again like any other: by then they may have been entered anew.
      if ('lost' in secrets) return { kind: 'refused', reason: secrets.lost, final: false }
      const sending = { delivery, config, secrets: secrets.held, now: clock.now(), version, signal: draining }
      return type === 'webhook' ? sendWebhook(sending) : sendMail(sending)
    },
  })

  function secretsOf(channel: ChannelRow): { held: Record<string, string> } | { lost: Message } {
    try {
      return { held: openSecrets(channel) }
    } catch (error) {
      if (error instanceof Refusal) return { lost: error.reason ?? runMessage('as_told', { text: error.message }) }
      throw error
    }
  }
  function show({ id, notification_id, news, job_id, job_run_id }: DeliveryRow): void {
    const path = news.job_run?.path ?? news.metric?.path ?? channelsPath
    const what = { title: titleOf(news), body: bodyOf(news), path, event: news.event, job_id, job_run_id }
    events.append('notification.desktop', notification_id, { ...what, delivery_id: id })
  }

  function write(channel: ChannelRow, news: News, next_attempt_at: string | null): DeliveryRow {
    const delivery = deliveries.insert({
      notification_id: channel.id,
      event: news.event,
      job_id: news.job?.id ?? null,
      job_run_id: news.job_run?.id ?? null,
      news,
      message_key: ids.uuid(),
      status: 'pending',
      next_attempt_at,
      delivered_at: null,
      created_at: clock.iso(),
    })
    deliveries.prune(channel.id, kept)
    return delivery
  }
  /** Desktops are told at once, in the transaction of the news itself; everybody else by the worker. */
  function enqueue(channel: ChannelRow, news: News): void {
    const at = clock.iso()
    if (channel.type !== 'desktop') return changed(write(channel, news, at))
    const delivery = write(channel, news, null)
    show(delivery)
    changed(deliveries.delivered(delivery.id, 1, null, at) ?? delivery)
  }

  /** A template that cannot be read any more must not keep its job run from ending. */
  function rulesOf({ snapshot_id, id }: JobRunNews): readonly NotifyRule[] {
    try {
      return notifyOf(snapshot_id)
    } catch (error) {
      logger.warn({ err: error, job_run_id: id }, 'Whom the template wants told could not be read')
      return []
    }
  }

  function ofChannel(channel: ChannelRow, id: number): DeliveryRow {
    const row = deliveries.get(id)
    return row?.notification_id === channel.id ? row : notFound()
  }

  return {
    worker,

    /** In the transaction in which it happened. */
    tell(run: JobRunNews, happened: readonly NotifyEvent[]): void {
      const listening = channels.enabled()
      if (listening.length === 0) return
      const notify = rulesOf(run)
      for (const channel of listening) {
        for (const event of eventsOf(channel, happened, run.job_id, notify))
          enqueue(channel, newsOf(event, run, clock.iso()))
      }
      worker.changed()
    },

    /** In the transaction in which it happened; whichever jobs a channel is for. */
    tellOfMetric(metric: MetricNews): void {
      for (const channel of channels.enabled()) {
        if (channel.on.includes(metric.event)) enqueue(channel, newsOfMetric(metric))
      }
      worker.changed()
    },

    /** Also of a channel that is switched off: that is how one tries it before. */
    async test(channel: ChannelRow): Promise<NotificationDelivery> {
      const delivery = store.transaction(() => write(channel, testNews(clock.iso()), null))
      try {
        return present((await worker.once(delivery, channel)) ?? notFound())
      } catch (error) {
        if (draining.aborted) unavailable(msg('server_ending'))
        throw error
      }
    },
    list({ id }: ChannelRow, query: QueryOf<typeof listNotificationDeliveries>) {
      const { rows, ...page } = deliveries.list(id, query)
      return { result: rows.map(present), ...page }
    },
    retry(channel: ChannelRow, id: number): NotificationDelivery {
      const { status } = ofChannel(channel, id)
      if (!channel.enabled) invalidState(msg('channel_off'))
      if (status !== 'failed') invalidState(msg('delivery_not_failed', { status }))
      const row = deliveries.sendAgain(id, clock.iso()) ?? notFound()
      changed(row)
      worker.changed()
      return present(row)
    },

    start(): void {
      store.transaction(() => deliveries.giveUpTests(msg('server_ended_sending'), clock.iso()))
      worker.start()
    },
  }
}

function present({
  news: _,
  message_key: __,
  updated_at: ___,
  error_params,
  ...row
}: DeliveryRow): NotificationDelivery {
  return { ...row, error_params: shownParams(error_params) }
}
