import type { Database } from 'better-sqlite3'
import type { ServerEvent } from '../../contract/events.ts'

interface EventRow {
  id: number
  type: ServerEvent['type']
  at: string
  entity_id: number
  data: string
}

export interface EventsStore {
  insert(event: Omit<ServerEvent, 'id'>): number
  after(id: number, limit: number): ServerEvent[]
  oldestId(): number
  latestId(): number
  /** Deletes all but the newest `keep`. */
  prune(keep: number): void
}

export function createEventsStore(sqlite: Database): EventsStore {
  const insert = sqlite.prepare<[string, string, number, string]>(
    'INSERT INTO events (type, at, entity_id, data) VALUES (?, ?, ?, ?)',
  )
  const after = sqlite.prepare<[number, number], EventRow>('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?')
  const oldest = sqlite.prepare<[], { id: number | null }>('SELECT min(id) AS id FROM events')
  // The sequence, not the newest row: ids are never given twice, even when every row has been pruned.
  const latest = sqlite.prepare<[], { id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'events'")
  const prune = sqlite.prepare<[number]>('DELETE FROM events WHERE id <= ?')
  const latestId = () => latest.get()?.id ?? 0
  return {
    insert: (event) =>
      Number(insert.run(event.type, event.at, event.entity_id, JSON.stringify(event.data)).lastInsertRowid),
    after: (id, limit) =>
      after.all(id, limit).map((row) => ({ ...row, data: JSON.parse(row.data) as ServerEvent['data'] })),
    oldestId: () => oldest.get()?.id ?? 0,
    latestId,
    prune: (keep) => void prune.run(latestId() - keep),
  }
}
