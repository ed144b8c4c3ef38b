import type { RunOutcome } from '../../../src/executor/worker-protocol.ts'

/** What the worker of the tests does, in this order. */
export interface FakeTask {
  log?: string[]
  /** Writes this to stdout. */
  print?: string
  /** Tells one running and one pending step. */
  steps?: boolean
  /** Leaves a file of this name in the temporary folder. */
  leave?: string
  /** Somebody else removes the temporary folder. */
  loseFolder?: boolean
  /** Tells that this many rows are committed, with this cursor. */
  commit?: { item_count: number; cursor: string }
  /** Asks for leave to commit; then `commit` is told, or whatever comes next happens. */
  permit?: 'once' | 'repeatable'
  flood?: { lines: number; bytes: number }
  rejects?: number
  reason?: string
  /** Waits for the abort signal, or ignores it. */
  wait?: 'polite' | 'stubborn'
  /** Blocks the thread for ever, or for so long. */
  block?: boolean
  blockMs?: number
  exit?: number
  throw?: string
  throwLater?: string
  outcome?: Partial<RunOutcome>
}
