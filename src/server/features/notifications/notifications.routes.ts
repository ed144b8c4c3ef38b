import type { FastifyInstance } from 'fastify'
import {
  createNotification,
  deleteNotification,
  getNotification,
  listNotificationDeliveries,
  listNotifications,
  retryNotificationDelivery,
  testNotification,
  updateNotification,
} from '../../../contract/notifications.ts'
import { recordRoute, route } from '../../platform/http.ts'
import type { NotificationsService } from './notifications.service.ts'

export function registerNotificationsRoutes(app: FastifyInstance, notifications: NotificationsService): void {
  route(app, listNotifications, ({ query }) => notifications.list(query))
  route(app, createNotification, ({ body, caller }) => notifications.create(body, caller))
  recordRoute(
    app,
    getNotification,
    ({ params }) => notifications.get(params.id),
    ({ params }) => notifications.etag(params.id),
  )
  route(app, updateNotification, ({ params, body, ifMatch, etag }) => {
    const channel = notifications.update(params.id, body, ifMatch)
    etag(notifications.etag(channel.id))
    return channel
  })
  route(app, deleteNotification, ({ params }) => notifications.remove(params.id))
  route(app, testNotification, ({ params }) => notifications.test(params.id))
  route(app, listNotificationDeliveries, ({ params, query }) => notifications.deliveries(params.id, query))
  route(app, retryNotificationDelivery, ({ params }) => notifications.retry(params.id, params.deliveryId))
}
