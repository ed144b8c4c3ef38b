import { expect } from 'vitest'
import { type Notification, updateNotification } from '../../../src/contract/notifications.ts'
import { createTestClock } from '../../support/platform.ts'
import { startTestServer } from '../../support/server.ts'
import { channels } from './notification-world.ts'
import { startHookReceiver } from './receivers.ts'

/** A server with a clock of the test's, and a web server that its channels send to. */
export async function startHookWorld() {
  const clock = createTestClock()
  const server = await startTestServer({ clock })
  const admin = server.as('admin')
  const hook = await startHookReceiver()
  const { create, deliveries } = channels(admin)
  return {
    clock,
    server,
    admin,
    hook,
    settled: () => server.services.notifications.settled(),
    create: (more: Parameters<typeof create>[0] = {}) => create({ config: { url: hook.url }, ...more }),
    deliveries,
    async only(channel: Notification) {
      const all = await deliveries(channel)
      expect(all).toHaveLength(1)
      return all[0]!
    },
    async switchOff({ id }: Notification) {
      await admin.call(updateNotification, { params: { id }, body: { enabled: false } })
    },
    /** As it was in the beginning: what was sent is forgotten, and everything is taken. */
    reset() {
      hook.received.length = 0
      hook.reply({ status: 204 })
    },
    async close() {
      await server.close()
      await hook.close()
    },
  }
}
