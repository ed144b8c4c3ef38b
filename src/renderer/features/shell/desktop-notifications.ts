/** The notification of a desktop channel, as its event carries it. Pure but for the memory that is passed in. */
import type { ServerEvent } from '../../../contract/events.ts'

export interface DesktopNotification {
  /** The same in every window that hears the event. */
  key: string
  title: string
  body: string
  path: string
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** In the language, if it comes in that. */
export function notificationOf(event: ServerEvent, language: string): DesktopNotification | null {
  if (event.type !== 'notification.desktop') return null
  const { translations, path } = event.data
  // Made by the server for each language of the interface.
  const translated = (translations as Record<string, Record<string, unknown>> | undefined)?.[language]
  const { title, body } = translated ?? event.data
  const to = textOf(path)
  return {
    key: `${event.at} ${event.id}`,
    title: textOf(title),
    body: textOf(body),
    // A click stays within the app.
    path: to.startsWith('/') && !to.startsWith('//') ? to : '/',
  }
}

const memory = 'headgate.notifications-shown'
const remembered = 50

/** True for the first window that asks. Windows ask one after the other, by a lock where the browser has them. */
export function claimNotification(key: string, storage: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  const known = (storage.getItem(memory) ?? '').split('\n').filter(Boolean)
  if (known.includes(key)) return false
  storage.setItem(memory, [...known, key].slice(-remembered).join('\n'))
  return true
}
