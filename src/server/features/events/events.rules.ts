import type { ServerEvent } from '../../../contract/events.ts'

export type Resume =
  | { kind: 'continue'; after: number }
  /** The client must load afresh; it goes on from `after`. */
  | { kind: 'reset'; after: number; reason: string }

/**
 * Where a client goes on. A new one hears what comes from now on. One that was away gets what it missed, unless some of
 * that is no longer kept, or its id is of another store.
 */
export function resumeFrom(lastId: number | undefined, log: { oldest: number; latest: number }): Resume {
  if (lastId === undefined) return { kind: 'continue', after: log.latest }
  if (lastId > log.latest) return { kind: 'reset', after: log.latest, reason: 'The last event is not known here' }
  const missed = log.latest - lastId
  if (missed > 0 && (log.oldest === 0 || lastId < log.oldest - 1)) {
    return { kind: 'reset', after: log.latest, reason: 'Events since then are no longer kept' }
  }
  return { kind: 'continue', after: lastId }
}

/**
 * Whether a stream that asked for one run or one job run tells of an event. A job run's own events come with those of its
 * runs. Asked for both, either will do; asked for none, everything is told.
 */
export function isWanted(
  { type, entity_id, data }: Pick<ServerEvent, 'type' | 'entity_id' | 'data'>,
  { run_id, job_run_id }: { run_id?: number; job_run_id?: number },
): boolean {
  if (run_id === undefined && job_run_id === undefined) return true
  if (type.startsWith('run.')) {
    return entity_id === run_id || (job_run_id !== undefined && data.job_run_id === job_run_id)
  }
  return type.startsWith('job_run.') && entity_id === job_run_id
}
