/** Where a command writes; results to `out`, everything about them to `err`. */
export interface Output {
  out(line: string): void
  err(line: string): void
  /** Width of the terminal; null where it is none. */
  columns: number | null
}

/** Told by `headgate --help`, and relied on by scripts. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** The command line is wrong; what follows is how it is to be. */
export class UsageError extends Error {}

/** The command line is as it should be, but not what it names: a file, or a value for the task. Says all there is to say. */
export class InputError extends UsageError {}
