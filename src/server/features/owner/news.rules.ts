/**
 * What events are news of for the desktop: what its channels tell, and each failure once. A run of a job run is no news of its own,
 * and neither is a failure that a channel tells of anyway.
 */
import { shortened } from '../../../language/shortened.ts'
import type { ServerEvent } from '../../../contract/events.ts'
import type { ServerNews } from '../../../process/messages.ts'

/** Longest text that a notification can show. */
const mostCharacters = 400

/** `events`: what one commit has changed. */
export function newsOf(events: readonly ServerEvent[], told: Announced): ServerNews[] {
  // A job run that is resumed may fail once more.
  for (const { type, entity_id, data } of events) {
    if (type === 'job_run.changed' && data['status'] === 'running') told.forget(`/job-runs/${entity_id}`)
  }
  const fromChannels = events.flatMap(channelNews)
  const known = new Set(fromChannels.map(({ path }) => path))
  const failures = events.flatMap(failureNews).filter(({ path }) => told.first(path) && !known.has(path))
  return [...fromChannels, ...failures]
}

function channelNews({ type, data }: ServerEvent): ServerNews[] {
  if (type !== 'notification.desktop') return []
  const path = textOf(data['path'])
  // A click stays within the app.
  const safe = path.startsWith('/') && !path.startsWith('//') ? path : '/'
  return [{ kind: 'channel', title: textOf(data['title']), body: textOf(data['body']), path: safe }]
}

function failureNews({ type, entity_id, data }: ServerEvent): ServerNews[] {
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
