import { type SealedColumn, sealedColumns } from '../../platform/sealed-columns.ts'
import type { Store } from '../../platform/store.ts'

/** A text in the store that is sealed, and whose it is. */
export interface SealedText {
  kind: SealedColumn['kind']
  rowid: number
  id: number | null
  name: string
  secrets: string[]
  context: string
  sealed: string
}

export function createSecretsStore({ sqlite, shortenLog }: Store, columns: readonly SealedColumn[] = sealedColumns) {
  const prepared = columns.map(({ kind, table, column, ...sql }) => ({
    kind,
    all: sqlite.prepare<[], Omit<SealedText, 'kind' | 'secrets'> & { secrets: string }>(
      `SELECT rowid AS rowid, ${sql.id} AS id, ${sql.name} AS name, ${sql.secrets} AS secrets, ${sql.context} AS context,
         ${column} AS sealed
       FROM ${table} WHERE ${column} IS NOT NULL ORDER BY rowid`,
    ),
    replace: sqlite.prepare<[string, number, string]>(
      `UPDATE ${table} SET ${column} = ? WHERE rowid = ? AND ${column} = ?`,
    ),
  }))
  return {
    /** `visit` must not write. */
    each(visit: (text: SealedText) => void): void {
      for (const { kind, all } of prepared) {
        // What services wrote: a list of names.
        for (const row of all.iterate()) visit({ ...row, kind, secrets: JSON.parse(row.secrets) as string[] })
      }
    },
    replace({ kind, rowid, sealed }: Pick<SealedText, 'kind' | 'rowid' | 'sealed'>, anew: string): void {
      prepared.find((one) => one.kind === kind)?.replace.run(anew, rowid, sealed)
    },
    /** What stood in pages that are free now is overwritten, and the log, which has it as well, is emptied. */
    wiping<T>(work: () => T): T {
      const before = sqlite.pragma('secure_delete', { simple: true })
      sqlite.pragma('secure_delete = ON')
      try {
        return work()
      } finally {
        sqlite.pragma(`secure_delete = ${before === 2 ? 'FAST' : Number(before)}`)
        shortenLog()
      }
    },
  }
}
