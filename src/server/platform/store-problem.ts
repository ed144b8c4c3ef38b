import { type Message, msg } from '../../contract/messages.ts'
/** Why the store cannot be written, in the words that people see; undefined for errors that say nothing about that. */
export function storeProblem(code: string): Message | undefined {
  if (code.startsWith('SQLITE_FULL')) return msg('disk_full')
  if (code === 'SQLITE_READONLY_DBMOVED') return msg('store_moved')
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return msg('database_damaged')
  return /^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code) ? msg('store_unwritable') : undefined
}

/** Whether the store can be written, as the last attempt has shown. */
export interface StoreCondition {
  /** null: saving works. */
  readonly problem: Message | null
  /** Something was not saved; anything else than an error of the store is ignored. */
  failed(error: unknown): void
  /** Something was. */
  recovered(): void
  /** Called with every change, after the transaction that has shown it. */
  onChange(listener: (problem: Message | null) => void): void
}

export function createStoreCondition(): StoreCondition {
  const listeners: ((problem: Message | null) => void)[] = []
  let problem: Message | null = null

  function change(now: Message | null): void {
    if (now?.code === problem?.code) return
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
