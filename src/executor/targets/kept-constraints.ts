import type { TableTarget } from '../../language/task/targets/target.types.ts'
import type { PrimaryKey, StreamColumn } from '../engine/column-origin.ts'
import { listNames } from '../engine/errors.ts'

export interface KeptConstraints {
  notNull: ReadonlySet<string>
  /** Empty: none. */
  primaryKey: string[]
}

/**
 * NOT NULL of the columns that arrive as they were read, and the primary key that has all of its columns among them. `append` takes the
 * same key more than once, and a key of the task goes first.
 */
export function keptConstraints(
  { mode, key: keyed }: TableTarget,
  columns: readonly StreamColumn[],
  kept: ReadonlyMap<string, string>,
  log: (message: string) => void,
): KeptConstraints {
  const unchanged = columns.flatMap((column) => {
    const { origin } = column
    return origin && kept.has(column.name) ? [{ column: column.name, origin }] : []
  })
  const notNull = new Set(unchanged.filter(({ origin }) => origin.notNull).map(({ column }) => column))
  const key = columns.find(({ origin }) => origin?.key)?.origin?.key ?? null
  if (key === null || keyed.length > 0) return { notNull, primaryKey: [] }
  const found = key.columns.map((wanted) =>
    unchanged.find(({ origin }) => origin.key === key && origin.name === wanted),
  )
  const why = whyLost(mode, key, found.includes(undefined))
  if (why === null) return { notNull, primaryKey: found.flatMap((one) => one?.column ?? []) }
  log(`The primary key of the source (${listNames(key.columns)}) is not kept: ${why}`)
  return { notNull, primaryKey: [] }
}

function whyLost(mode: TableTarget['mode'], key: PrimaryKey, incomplete: boolean): string | null {
  if (mode !== 'replace') return `\`mode: ${mode}\` may bring a key once more`
  if (key.lost !== null) return `the step \`${key.lost}\` may make several rows of one`
  return incomplete ? 'not all of its columns arrive as they were read' : null
}
