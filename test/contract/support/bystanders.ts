// Records that nobody is to touch.
import { expect, vi } from 'vitest'
import { successes, type Stage } from '../successes.ts'

export interface Bystanders {
  /** Their rows, as they are now. */
  rows(): unknown
}

const kinds = ['User', 'Connector', 'Task', 'Job', 'Trigger', 'EventTrigger', 'Notification', 'ApiKey'] as const
const tables =
  'users connectors tasks task_versions job_templates jobs triggers event_triggers notifications api_keys'.split(' ')

/** One of every kind, and what it takes to make it. */
export async function makeBystanders(stage: Stage): Promise<Bystanders> {
  const { sqlite } = stage.live.server.platform.store
  const newest = () =>
    tables.map(
      (table) => sqlite.prepare<[], { id: number | null }>(`SELECT max(id) AS id FROM ${table}`).get()?.id ?? 0,
    )
  const before = newest()
  for (const kind of kinds) {
    const answer = await successes[`create${kind}`](stage)
    if (answer.status !== 201) throw new Error(`create${kind}: ${JSON.stringify(answer.body)}`)
  }
  const after = newest()
  // The trigger that was made is looked at by an executor, which is noted in it once.
  const looked = sqlite.prepare('SELECT looked FROM event_triggers WHERE id = ?').pluck()
  await vi.waitFor(() => expect(looked.get(after[tables.indexOf('event_triggers')])).toBe(1), 60_000)
  const rows = () =>
    tables.map((table, at) =>
      sqlite.prepare(`SELECT * FROM ${table} WHERE id > ? AND id <= ?`).all(before[at], after[at]),
    )
  const without = tables.filter((_, at) => before[at] === after[at])
  if (without.length > 0) throw new Error(`Nothing was made of ${without.join(', ')}`)
  return { rows }
}
