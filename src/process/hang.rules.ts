// A process can live and do nothing: its loop stands still, in an endless loop or stopped from outside. Only answers tell.

/** How often it is asked. */
export const ASK_EVERY_MS = 10_000
/** So many questions in a row without a word: no job of a process that was ready once keeps its thread for as long. */
const MAX_SILENT = 3
/** Until then it may wait for its disk, which is no work of the processor: for a backup on a slow one to be written out, for one. */
const MAX_SILENT_STARTING = 90
/** Processor time between two questions. Hearing a question takes less than a hundredth of it. */
const WORKING_S = 0.02

/** What is known of one process since it was asked first. */
export interface Silence {
  /** Questions in a row that came to nothing. */
  questions: number
  hangs: boolean
}

export const HEARD: Silence = { questions: 0, hangs: false }

export interface Tick {
  /** Anything came since the last tick. */
  spoke: boolean
  lateMs: number
  /** Null for a process that was ready; before that, whether it has worked since the last tick. */
  starting: { works: boolean } | null
}

/**
 * At each tick of whoever asks. A tick that is late by more than half its time says that he who asks was asleep himself, with the whole machine
 * or alone, and knows nothing of others; so no setting of the clock and no sleep counts. A start may move and check a big store, which keeps
 * the thread for as long as it takes: one that works is left alone.
 */
export function afterTick(before: Silence, { spoke, lateMs, starting }: Tick): Silence {
  if (spoke || starting?.works || lateMs > ASK_EVERY_MS / 2) return HEARD
  const questions = before.questions + 1
  return { questions, hangs: questions >= (starting ? MAX_SILENT_STARTING : MAX_SILENT) }
}

/** By the processor time that it has used so far, in seconds. Where nobody knows, it gets the benefit of the doubt. */
export function hasWorked(before: number | undefined, now: number | undefined): boolean {
  return before === undefined || now === undefined || now - before >= WORKING_S
}
