import Sqlite from 'better-sqlite3'

export interface TableSize {
  name: string
  /** With its indexes. */
  bytes: number
}

/** What fills the store, largest first. Reads every page, so it runs in a thread of its own. */
export function measureTables({ database }: { database: string }): TableSize[] {
  const sqlite = new Sqlite(database, { readonly: true })
  try {
    return sqlite
      .prepare<[], TableSize>(`
        SELECT coalesce(entry.tbl_name, stat.name) AS name, sum(stat.pgsize) AS bytes
        FROM (SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE) AS stat
        LEFT JOIN sqlite_schema AS entry ON entry.name = stat.name
        GROUP BY 1 ORDER BY bytes DESC, 1`)
      .all()
  } finally {
    sqlite.close()
  }
}
