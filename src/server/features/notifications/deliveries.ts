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
import { desktopTexts } from './desktop-text.rules.ts'
import {
  type Attempt,
  type JobRunUpdate,
  type MetricUpdate,
  type NotificationContent,
  contentOf,
  contentOfMetric,
  testContent,
  eventsOf,
} from './notifications.rules.ts'
import type { NotificationsStore } from './notifications.store.ts'
import type { ChannelRow, DeliveryRow } from './notifications.table.ts'
import { sendMail } from './send-mail.ts'
import { sendWebhook } from './send-webhook.ts'

/** Where a notification about no job run leads: the page of channels. */
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

/** Deliveries: written when something happens, then sent until they arrive or fail for good. */
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
  function show({ id, notification_id, content, job_id, job_run_id }: DeliveryRow): void {
    const path = content.job_run?.path ?? content.metric?.path ?? channelsPath
    const what = { ...desktopTexts(content), path, event: content.event, job_id, job_run_id }
    events.append('notification.desktop', notification_id, { ...what, delivery_id: id })
  }

  function write(channel: ChannelRow, content: NotificationContent, next_attempt_at: string | null): DeliveryRow {
    const delivery = deliveries.insert({
      notification_id: channel.id,
      event: content.event,
      job_id: content.job?.id ?? null,
      job_run_id: content.job_run?.id ?? null,
      content,
      message_key: ids.uuid(),
      status: 'pending',
      next_attempt_at,
      delivered_at: null,
      created_at: clock.iso(),
    })
    deliveries.prune(channel.id, kept)
    return delivery
  }
  /** Desktops are notified in the same transaction; the worker sends the rest. */
  function enqueue(channel: ChannelRow, content: NotificationContent): void {
    const at = clock.iso()
    if (channel.type !== 'desktop') return changed(write(channel, content, at))
    const delivery = write(channel, content, null)
    show(delivery)
    changed(deliveries.delivered(delivery.id, 1, null, at) ?? delivery)
  }

  /** A template that cannot be read any more must not keep its job run from ending. */
  function rulesOf({ snapshot_id, id }: JobRunUpdate): readonly NotifyRule[] {
    try {
      return notifyOf(snapshot_id)
    } catch (error) {
      logger.warn({ err: error, job_run_id: id }, 'The notification rules of the template could not be read')
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
    send(run: JobRunUpdate, happened: readonly NotifyEvent[]): void {
      const listening = channels.enabled()
      if (listening.length === 0) return
      const notify = rulesOf(run)
      for (const channel of listening) {
        for (const event of eventsOf(channel, happened, run.job_id, notify))
          enqueue(channel, contentOf(event, run, clock.iso()))
      }
      worker.changed()
    },

    /** In the transaction in which it happened; whichever jobs a channel is for. */
    sendMetric(metric: MetricUpdate): void {
      for (const channel of channels.enabled()) {
        if (channel.on.includes(metric.event)) enqueue(channel, contentOfMetric(metric))
      }
      worker.changed()
    },

    /** Also of a channel that is switched off: that is how one tries it before. */
    async test(channel: ChannelRow): Promise<NotificationDelivery> {
      const delivery = store.transaction(() => write(channel, testContent(clock.iso()), null))
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
  content: _,
  message_key: __,
  updated_at: ___,
  error_params,
  ...row
}: DeliveryRow): NotificationDelivery {
  return { ...row, error_params: shownParams(error_params) }
}
