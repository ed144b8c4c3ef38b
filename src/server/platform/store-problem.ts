/** Why the store cannot be written, in the words that people see; undefined for errors that say nothing about that. */
export function storeProblem(code: string): string | undefined {
  if (code.startsWith('SQLITE_FULL'))
    return 'The disk is full: nothing was saved. Free some space; reading goes on meanwhile.'
  if (code === 'SQLITE_READONLY_DBMOVED')
    return 'The database file (headgate.db or headgate.db-wal) was moved, replaced, or removed while the server was running. Nothing was saved. Put the file back or restart the server.'
  return /^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code)
    ? 'The data folder cannot be written: nothing was saved. Look at its disk and its rights.'
    : undefined
}

/** Whether the store can be written, as the last attempt has shown. */
export interface StoreCondition {
  /** null: saving works. */
  readonly problem: string | null
  /** Something was not saved; anything else than an error of the store is ignored. */
  failed(error: unknown): void
  /** Something was. */
  recovered(): void
  /** Called with every change, after the transaction that has shown it. */
  onChange(listener: (problem: string | null) => void): void
}

export function createStoreCondition(): StoreCondition {
  const listeners: ((problem: string | null) => void)[] = []
  let problem: string | null = null

  function change(now: string | null): void {
    if (now === problem) return
    problem = now
    // Not within the transaction that is just failing.
    queueMicrotask(() => {
      for (const listener of listeners) listener(now)
    })
  }
  return {
    get problem() {
      return problem
    },
    failed(error) {
      // Errors of SQLite carry a string code.
      const { code } = error as { code?: unknown }
      const found = typeof code === 'string' ? storeProblem(code) : undefined
      if (found !== undefined) change(found)
    },
    recovered: () => change(null),
    onChange: (listener) => void listeners.push(listener),
  }
}
