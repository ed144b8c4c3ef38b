import type { Store } from '../../platform/store.ts'
import type { SeenFile } from './file-arrival.rules.ts'

/** What each file_arrival trigger knows of the files that it watches. */
export function createSeenFilesStore({ sqlite }: Store) {
  const all = sqlite.prepare<[number], SeenFile>(
    'SELECT path, size, version, since, taken FROM event_trigger_files WHERE event_trigger_id = ?',
  )
  const save = sqlite.prepare<SeenFile & { id: number }>(`INSERT INTO event_trigger_files
    (event_trigger_id, path, size, version, since, taken) VALUES (@id, @path, @size, @version, @since, @taken)
    ON CONFLICT (event_trigger_id, path) DO UPDATE SET
      size = excluded.size, version = excluded.version, since = excluded.since, taken = excluded.taken`)
  const remove = sqlite.prepare<[number, string]>(
    'DELETE FROM event_trigger_files WHERE event_trigger_id = ? AND path = ?',
  )
  const forget = sqlite.prepare<[number]>('DELETE FROM event_trigger_files WHERE event_trigger_id = ?')
  const looked = sqlite.prepare<[number]>('UPDATE event_triggers SET looked = 1 WHERE id = ? AND looked = 0')

  return {
    all: (id: number) => all.all(id),
    save(id: number, files: readonly SeenFile[]): void {
      for (const file of files) save.run({ id, ...file })
    },
    remove(id: number, paths: readonly string[]): void {
      for (const path of paths) remove.run(id, path)
    },
    /** As if it had never looked. */
    forget: (id: number) => void forget.run(id),
    /** What is there from now on is news. */
    noteLooked: (id: number) => void looked.run(id),
  }
}
export type SeenFilesStore = ReturnType<typeof createSeenFilesStore>
