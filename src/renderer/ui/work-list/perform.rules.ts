/** Does something to several records, one request each, and tells of each how it went. Pure but for what it is given. */

export type Undo = () => Promise<unknown>

export interface Outcome<Row> {
  row: Row
  /** Why it was refused. */
  error?: Error
  undo?: Undo
}

/** Requests on their way at once: more gain nothing on one server. */
const atOnce = 4

/** In the order of the rows; those not begun when it was stopped are missing. */
export async function performAll<Row>(
  rows: readonly Row[],
  perform: (row: Row) => Promise<Undo | void>,
  { onDone, signal }: { onDone?: (count: number) => void; signal?: AbortSignal } = {},
): Promise<Outcome<Row>[]> {
  const outcomes = new Map<number, Outcome<Row>>()
  let next = 0
  async function work(): Promise<void> {
    for (;;) {
      const index = next
      const row = rows[index]
      if (index >= rows.length || row === undefined || signal?.aborted) return
      next += 1
      try {
        const undo = await perform(row)
        outcomes.set(index, undo ? { row, undo } : { row })
      } catch (error) {
        outcomes.set(index, { row, error: error instanceof Error ? error : new Error(String(error)) })
      }
      onDone?.(outcomes.size)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, work))
  return [...outcomes].toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome)
}

/** Tells how far it is, at most ten times a second: thousands of records would draw the list as often. */
export function everySoOften(tell: (count: number) => void, now: () => number = () => performance.now()) {
  let last = now()
  return (count: number) => {
    if (now() - last < 100) return
    last = now()
    tell(count)
  }
}
