import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { ServerEvent } from '../../../contract/events.ts'
import { useServerEvents } from '../../api/events.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { type DesktopNotification, claimNotification, notificationOf } from './desktop-notifications.ts'

const lockName = 'headgate.notifications'

/** Every window of this browser hears an event; one of them shows it. */
async function once(notification: DesktopNotification, show: () => Promise<void> | void): Promise<void> {
  const act = async () => {
    if (claimNotification(notification.key, localStorage)) await show()
  }
  await ('locks' in navigator ? navigator.locks.request(lockName, act) : act())
}

/**
 * Shows in a browser what desktop channels tell: as its own notification where it may, else within the page. The desktop's main process
 * hears of it itself, also while no window is open.
 */
export function useDesktopNotifications(): void {
  const navigate = useNavigate()
  const { i18n } = useTranslation()
  const hear = useCallback(
    (event: ServerEvent) => {
      const notification = desktopBridge() ? null : notificationOf(event, i18n.language)
      if (!notification) return
      const { key, title, body, path } = notification
      const toast = () => {
        notifications.show({
          title,
          message: body,
          autoClose: 15_000,
          style: { cursor: 'pointer' },
          onClick: () => void navigate(path),
        })
      }
      const show = () => {
        if (!('Notification' in globalThis) || Notification.permission !== 'granted') return toast()
        const shown = new Notification(title, { body, tag: key })
        shown.addEventListener('click', () => {
          shown.close()
          globalThis.focus()
          void navigate(path)
        })
      }
      void once(notification, show)
    },
    [navigate, i18n],
  )
  useServerEvents(hear)
}
