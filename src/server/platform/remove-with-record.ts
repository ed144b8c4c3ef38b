import { rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Store } from './store.ts'

/** A disk with less is full: the store needs about as much to write at all. */
const fullBelow = 16 * 1024 * 1024

/**
 * Deletes a file together with what the store says of it. It goes out of sight first, to `hidden` in the same folder: where the deletion
 * can't be saved, it comes back, and the answer that nothing was changed is true. One that lies on the full disk itself goes all the
 * same, as it makes the room that is missing.
 */
export async function removeWithRecord(
  path: string,
  hidden: string,
  store: Pick<Store, 'transaction' | 'condition'>,
  record: () => void,
): Promise<void> {
  await rename(path, hidden)
  try {
    store.transaction(record)
  } catch (error) {
    if (store.condition.problem?.code !== 'disk_full' || !(await isFull(dirname(path)))) {
      await rename(hidden, path)
      throw error
    }
    await rm(hidden, { force: true })
    store.transaction(record)
  }
  await rm(hidden, { force: true })
}

async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < fullBelow
}
