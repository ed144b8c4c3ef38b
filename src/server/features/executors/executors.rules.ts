import type { ExecutorRow } from './executors.table.ts'

/** May a process take this name? Told apart by its instance; `leaseMs` is what is left of the lease of the one before. */
export type NameVerdict =
  | { kind: 'new' }
  /** The same process came back: what it runs goes on. */
  | { kind: 'return' }
  /** Another process takes over from one that is gone: what that one ran is given up. */
  | { kind: 'take_over' }
  | { kind: 'taken'; seconds: number }

export function nameVerdict(
  row: Pick<ExecutorRow, 'instance' | 'status'> | undefined,
  instance: string,
  lease: { remainingMs: number; heard: boolean },
): NameVerdict {
  if (!row) return { kind: 'new' }
  if (row.instance === instance) return { kind: 'return' }
  const alive = (row.status === 'online' || row.status === 'draining') && lease.remainingMs > 0
  // After a restart of this server the process before may be gone with it: the one that asks is surely there.
  if (alive && lease.heard) return { kind: 'taken', seconds: Math.ceil(lease.remainingMs / 1000) }
  return { kind: 'take_over' }
}

/**
 * Deals attempts to those who wait: one each in turn, as far as their free slots go. Only what nobody could start now is
 * then dealt ahead, likewise in turn.
 */
export function deal<T, C extends { slots: number; ahead: number }>(
  attempts: readonly T[],
  claims: readonly C[],
): Map<C, T[]> {
  const hands = new Map<C, T[]>(claims.map((claim) => [claim, []]))
  let next = 0
  function inTurn(most: (claim: C) => number): void {
    for (let free = [...claims]; next < attempts.length && free.length > 0;) {
      free = free.filter((claim) => hands.get(claim)!.length < most(claim))
      for (const claim of free) {
        if (next >= attempts.length) break
        hands.get(claim)!.push(attempts[next++]!)
      }
    }
  }
  inTurn(({ slots }) => slots)
  inTurn(({ slots, ahead }) => slots + ahead)
  return hands
}
