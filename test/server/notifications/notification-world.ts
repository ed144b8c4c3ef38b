import {
  type Notification,
  type NotificationDelivery,
  createNotification,
  listNotificationDeliveries,
  testNotification,
} from '../../../src/contract/notifications.ts'
import type { BodyOf } from '../../../src/contract/operation.ts'
import type { JobRunUpdate } from '../../../src/server/features/notifications/notifications.service.ts'
import type { TestClient, TestServer } from '../../support/server.ts'

let runs = 0
/** The end of a job run that failed, or what else is said. */
export const endOf = (more: Partial<JobRunUpdate> = {}): JobRunUpdate => ({
  id: ++runs,
  job_id: 1,
  job_name: 'nightly',
  snapshot_id: 1,
  status: 'failed',
  previous_status: 'completed',
  logical_date: '2026-03-01T00:00:00.000Z',
  trigger_type: 'cron',
  started_at: '2026-03-01T06:00:00.000Z',
  completed_at: '2026-03-01T06:05:00.000Z',
  duration_ms: 300_000,
  error_message: 'load: the table is gone',
  failed_task_keys: ['load'],
  drift: [],
  rejects: [],
  ...more,
})

/** As the end of a job run tells it: in the transaction of the end. */
export const tell = ({ platform, services }: TestServer, end: JobRunUpdate): void =>
  platform.store.transaction(() => services.notifications.jobRunEnded(end))

let made = 0
export const channelName = (): string => `channel ${++made}`

export const channels = (admin: TestClient) => ({
  create: (body: Partial<BodyOf<typeof createNotification>>): Promise<Notification> =>
    admin.call(createNotification, { body: { name: channelName(), type: 'webhook', on: ['failed'], ...body } }),
  test: ({ id }: Notification): Promise<NotificationDelivery> => admin.call(testNotification, { params: { id } }),
  /** Oldest first. */
  async deliveries({ id }: Notification): Promise<NotificationDelivery[]> {
    const { result } = await admin.call(listNotificationDeliveries, { params: { id }, query: { limit: 200 } })
    return result.toReversed()
  },
})
