import { listLimit } from '../../contract/common.ts'
import type { CursorCodec } from './cursor.ts'

/** A file in a folder that is shown as a list. */
interface ListedFile {
  name: string
  created_at: string
}

/** Newest first. */
export const newestFirst = (a: ListedFile, b: ListedFile): number =>
  a.created_at === b.created_at ? (a.name < b.name ? 1 : -1) : a.created_at < b.created_at ? 1 : -1

/** One page of the files, which come newest first, by the place of its first or last file. `what` keeps the cursors of two lists apart. */
export function filePage<File extends ListedFile>(
  what: string,
  files: readonly File[],
  cursors: CursorCodec,
  query: { cursor?: string; limit?: number },
) {
  const sort = `${what} created_at desc, name desc`
  const limit = query.limit ?? listLimit.default
  const cursor = query.cursor === undefined ? undefined : cursors.decode(query.cursor, sort)
  // Signed by us with two texts.
  const [at, name] = (cursor?.values ?? []) as [string?, string?]
  const isAfter = (file: File) =>
    at === undefined || file.created_at < at || (file.created_at === at && file.name < name!)
  const isSame = (file: File) => file.created_at === at && file.name === name
  let [from, to] = [0, limit]
  if (cursor?.direction === 'next') {
    const first = files.findIndex(isAfter)
    from = first < 0 ? files.length : first
    to = from + limit
  } else if (cursor?.direction === 'prev') {
    const end = files.findIndex((file) => isSame(file) || isAfter(file))
    to = end < 0 ? files.length : end
    from = Math.max(0, to - limit)
  }
  const page = files.slice(from, to)
  const encode = (direction: 'next' | 'prev', file: File | undefined) =>
    file ? cursors.encode({ direction, values: [file.created_at, file.name] }, sort) : null
  return {
    page,
    nextCursor: to < files.length ? encode('next', page.at(-1)) : null,
    prevCursor: from > 0 ? encode('prev', page[0]) : null,
    total: files.length,
  }
}
