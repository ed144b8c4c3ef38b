/** Tasks and gates of a template. */
export const MAX_TASKS = 2_000
/** Items of a `for_each`. */
export const MAX_ITEMS = 10_000
/** Runs under way at once, of a job run or a `for_each`. */
export const MAX_PARALLEL = 256
/** Keys that a hint lists. */
export const MAX_KEY_HINTS = 10
