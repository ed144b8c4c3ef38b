import { manyGlob, placeOf } from './data-place.rules.ts'
import type { IncomingFile } from './incoming.store.ts'
import type { Sniffed } from './opening.ts'

/** The files, where one task can read them all as one: rows of one format, in one folder (as far as it is known). Null where not. */
export function togetherOf(found: readonly Sniffed[]): readonly IncomingFile[] | null {
  const formats = new Set(
    found.map(({ kind }) =>
      kind.kind === 'data' && kind.format !== 'sqlite' && kind.format !== 'duckdb' && kind.format !== 'xlsx'
        ? `${kind.format} ${kind.encoding} ${String(kind.misnamed)}`
        : '',
    ),
  )
  const folders = new Set(found.map(({ file }) => (file.path === null ? '' : placeOf(file.path)?.folder)))
  const names = found.map(({ file }) => file.name)
  const distinct = new Set(names).size === names.length
  const one = formats.size === 1 && !formats.has('') && folders.size === 1 && distinct
  return one && found.length > 1 && manyGlob(names) !== null ? found.map(({ file }) => file) : null
}
