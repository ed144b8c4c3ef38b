import type { ServerNotification, ServerPulse } from '../../process/messages.ts'
import { isMessage } from '../../process/messages.ts'

/** What the server tells of its own accord, read from a message that came over a channel; null: it is about something else. */
export type ServerMessage = ({ event: 'pulse' } & ServerPulse) | ({ event: 'notification' } & ServerNotification)

export function readServerMessage(message: unknown): ServerMessage | null {
  if (isMessage(message, 'event', 'notification')) {
    const { kind, title, body, path } = message
    return {
      event: 'notification',
      kind: kind === 'channel' ? 'channel' : 'failure',
      title: textOf(title),
      body: textOf(body),
      path: pathOf(path),
    }
  }
  if (!isMessage(message, 'event', 'pulse')) return null
  const { running, waiting, scheduler_paused: paused, next_fire_at: next, failures } = message
  return {
    event: 'pulse',
    running: countOf(running),
    waiting: countOf(waiting),
    scheduler_paused: paused === true,
    next_fire_at: typeof next === 'string' ? next : null,
    failures: (Array.isArray(failures) ? (failures as unknown[]) : []).map((one) => {
      const { title, at, path } = Object(one) as Record<string, unknown>
      return { title: textOf(title), at: textOf(at), path: pathOf(path) }
    }),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const countOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)
/** A click stays within the app. */
const pathOf = (value: unknown): string => (typeof value === 'string' && /^\/(?!\/)/.test(value) ? value : '/')
