import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import type { ServerEvent } from '../../../contract/events.ts'
import { useServerEvents } from '../../api/events.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { type DesktopNews, claimNews, newsOf } from './desktop-news.ts'

const lockName = 'headgate.news'

/** Every window of this browser hears an event; one of them shows it. */
async function once(news: DesktopNews, show: () => Promise<void> | void): Promise<void> {
  const act = async () => {
    if (claimNews(news.key, localStorage)) await show()
  }
  await ('locks' in navigator ? navigator.locks.request(lockName, act) : act())
}

/** Shows what desktop channels tell: on the desktop, as the browser's own notification where it may, else within the page. */
export function useDesktopNews(): void {
  const navigate = useNavigate()
  const hear = useCallback(
    (event: ServerEvent) => {
      const news = newsOf(event)
      if (!news) return
      const { key, title, body, path } = news
      const toast = () => {
        notifications.show({
          title,
          message: body,
          autoClose: 15_000,
          style: { cursor: 'pointer' },
          onClick: () => void navigate(path),
        })
      }
      const show = async () => {
        const bridge = desktopBridge()
        // A desktop without notifications refuses; the news is told here instead.
        if (bridge) return await bridge.notify({ title, body, path }).catch(toast)
        if (!('Notification' in globalThis) || Notification.permission !== 'granted') return toast()
        const shown = new Notification(title, { body, tag: key })
        shown.addEventListener('click', () => {
          shown.close()
          globalThis.focus()
          void navigate(path)
        })
      }
      void once(news, show)
    },
    [navigate],
  )
  useServerEvents(hear)
}
