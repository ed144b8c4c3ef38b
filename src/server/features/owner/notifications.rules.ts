/**
 * Desktop notifications of events: those of its channels, and each failure once. A run of a job run gets none of its own,
 * and neither does a failure that a channel notifies about anyway.
 */
import { shortened } from '../../../language/shortened.ts'
import type { ServerEvent } from '../../../contract/events.ts'
import type { ServerNotification } from '../../../process/messages.ts'

/** Longest text that a notification can show. */
const mostCharacters = 400

/** `events`: what one commit has changed. */
export function notificationsOf(events: readonly ServerEvent[], announced: Announced): ServerNotification[] {
  // A job run that is resumed may fail once more.
  for (const { type, entity_id, data } of events) {
    if (type === 'job_run.changed' && data['status'] === 'running') announced.forget(`/job-runs/${entity_id}`)
  }
  const fromChannels = events.flatMap(channelNotifications)
  const known = new Set(fromChannels.map(({ path }) => path))
  const failures = events.flatMap(failureNotifications).filter(({ path }) => announced.first(path) && !known.has(path))
  return [...fromChannels, ...failures]
}

function channelNotifications({ type, data }: ServerEvent): ServerNotification[] {
  if (type !== 'notification.desktop') return []
  const path = textOf(data['path'])
  // A click stays within the app.
  const safe = path.startsWith('/') && !path.startsWith('//') ? path : '/'
  return [{ kind: 'channel', ...textsOf(data), translations: translationsOf(data['translations']), path: safe }]
}

const textsOf = (data: Record<string, unknown>) => ({ title: textOf(data['title']), body: textOf(data['body']) })

/** Made by `desktopTexts`. */
function translationsOf(texts: unknown): Record<string, { title: string; body: string }> {
  const entries = Object.entries((texts ?? {}) as Record<string, Record<string, unknown>>)
  return Object.fromEntries(entries.map(([language, one]) => [language, textsOf(one)]))
}

function failureNotifications({ type, entity_id, data }: ServerEvent): ServerNotification[] {
  if (data['status'] !== 'failed') return []
  const body = textOf(data['error_message'])
  if (type === 'job_run.changed') {
    return [{ kind: 'failure', title: textOf(data['job_name']), body, path: `/job-runs/${entity_id}` }]
  }
  if (type !== 'run.changed' || data['job_run_id'] !== null) return []
  return [{ kind: 'failure', title: textOf(data['task_name']), body, path: `/runs/${entity_id}` }]
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  return shortened(text, mostCharacters)
}

/** What was told before. */
export interface Announced {
  /** True for the first time, and after it was forgotten. */
  first(path: string): boolean
  forget(path: string): void
}

/** Remembers the newest `most`. */
export function createAnnounced(most = 1_000): Announced {
  const known = new Set<string>()
  return {
    first(path) {
      if (known.has(path)) return false
      known.add(path)
      const [oldest] = known
      if (known.size > most && oldest !== undefined) known.delete(oldest)
      return true
    },
    forget: (path) => void known.delete(path),
  }
}
