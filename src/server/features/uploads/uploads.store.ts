import { eq, inArray } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import { type UploadRow, uploads } from './uploads.table.ts'

export function createUploadsStore({ db }: Pick<Store, 'db'>) {
  return {
    save(row: UploadRow): void {
      db.insert(uploads).values(row).onConflictDoUpdate({ target: uploads.path, set: row }).run()
    },
    remove: (path: string): void => void db.delete(uploads).where(eq(uploads.path, path)).run(),
    /** By path. At most a page of them. */
    of: (paths: readonly string[]): Map<string, UploadRow> =>
      new Map(
        db
          .select()
          .from(uploads)
          .where(inArray(uploads.path, [...paths]))
          .all()
          .map((row) => [row.path, row]),
      ),
  }
}
