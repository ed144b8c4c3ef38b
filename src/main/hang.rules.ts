// A process can live and do nothing: its loop stands still, in an endless loop or stopped from outside. Only answers tell.

/** How often it is asked. */
export const ASK_EVERY_MS = 10_000
/** So many questions in a row without a word: no job of the server keeps its thread for as long. */
const MAX_SILENT = 3

/** What is known of one process since it was asked first. */
export interface Silence {
  /** Questions in a row that came to nothing. */
  questions: number
  hangs: boolean
}

export const HEARD: Silence = { questions: 0, hangs: false }

/**
 * At each tick of whoever asks. `spoke`: anything came since the last tick. A tick that is late by more than half its time says that he who
 * asks was asleep himself, with the whole machine or alone, and knows nothing of others; so no setting of the clock and no sleep counts.
 */
export function afterTick(before: Silence, { spoke, lateMs }: { spoke: boolean; lateMs: number }): Silence {
  if (spoke || lateMs > ASK_EVERY_MS / 2) return HEARD
  const questions = before.questions + 1
  return { questions, hangs: questions >= MAX_SILENT }
}
