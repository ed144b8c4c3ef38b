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
