import {
  type SQL,
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  isNotNull,
  isNull,
  lt,
  or,
  sql,
} from 'drizzle-orm'
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { CursorValue } from './cursor.ts'
import { type KeysetPage, type ListPart, type PartsOptions, partsPage } from './list-parts.ts'
import type { Store } from './store.ts'

export interface KeysetSort {
  column: SQLiteColumn
  direction: 'asc' | 'desc'
  /** Of a column that may be NULL: the rows of this list have a value. */
  filled?: boolean
  /** Capital letters of ASCII count as small ones, as people look names up. Its index has COLLATE NOCASE. */
  anyCase?: boolean
}

export interface KeysetOptions<T extends SQLiteTable = SQLiteTable> {
  store: Store
  table: T
  where: SQL | undefined
  /**
   * Conditions of which no row meets two; the list has the rows that meet one. Each is read from its own range of an index, no
   * further than the page is long, and merged: a walk in the order of the list would skip over all other rows.
   */
  branches?: readonly SQL[]
  /** The last one is unique (the id), so that every row has its place. NULL sorts below every value. */
  sort: KeysetSort[]
  cursor?: string
  limit?: number
  /** Records that match the filters, where counting those of `table` is too slow or not the answer. */
  total?: () => number
  /** What to read instead of all columns of `table`: columns, also of joined tables, or expressions. */
  select?: Record<string, SQLiteColumn | SQL | SQL.Aliased>
  /** Left joins. */
  joins?: { table: SQLiteTable; on: SQL }[]
}

/**
 * The sort that a list was asked for. `created_at` is the id, which every row ends with: newer records have higher numbers. By default
 * names begin at A, and everything else with the latest.
 */
export function sortOf<Sort extends string>(
  { sort, order }: { sort?: Sort | 'created_at' | undefined; order?: KeysetSort['direction'] | undefined },
  columns: Readonly<Record<Sort | 'created_at', SQLiteColumn>>,
): KeysetSort[] {
  const direction = order ?? (sort === 'name' ? 'asc' : 'desc')
  const column = columns[sort ?? 'created_at']
  const byId = { column: columns.created_at, direction }
  return column === byId.column ? [byId] : [{ column, direction }, byId]
}

const KEY = '__key'

const orderedBy = ({ column, anyCase }: KeysetSort): SQL => (anyCase ? sql`${column} COLLATE NOCASE` : sql`${column}`)

/**
 * One page of a list, by the place of its first or last row rather than by counting rows: stable while rows are added,
 * equally fast on every page, and both ways. Never OFFSET.
 */
export function keysetPage<T extends SQLiteTable>(
  options: KeysetOptions<T> & { select?: undefined },
): KeysetPage<T['$inferSelect']>
/** The caller names the type of the rows: with `select` nobody else can. */
export function keysetPage<Row>(options: KeysetOptions): KeysetPage<Row>
export function keysetPage<Row>(options: KeysetOptions): KeysetPage<Row> {
  const { store, cursor, limit } = options
  const signature = sortSignature(options)
  const total = options.total ?? (() => keysetTotal(options))
  const page = partsPage({ cursors: store.cursors, signature, parts: [partOf(options)], cursor, limit, total })
  // What is left without the keys is what the caller selected: he names its type.
  return { ...page, rows: page.rows.map((row) => withoutKey(row, options) as Row) }
}

/** A part of a list, read as `keysetPage` reads: its sort, and what narrows it. */
export type KeysetPart = Pick<KeysetOptions, 'where' | 'branches' | 'sort'>

/** One page of a list whose parts have an order of their own each. `signature` names the order of the list. */
export function keysetPartsPage<T extends SQLiteTable>({
  store,
  table,
  parts,
  ...page
}: { store: Store; table: T; parts: KeysetPart[] } & Omit<PartsOptions<never>, 'cursors' | 'parts'>): KeysetPage<
  T['$inferSelect']
> {
  const read = parts.map((part) => partOf({ store, table, ...part }))
  const { rows, ...found } = partsPage({ cursors: store.cursors, parts: read, ...page })
  const keys = Math.max(...parts.map(({ sort }) => sort.length))
  // Without the keys it is a row of the table.
  return { ...found, rows: rows.map((row) => withoutKeys(row, keys) as T['$inferSelect']) }
}

type Counted = Pick<KeysetOptions, 'store' | 'table' | 'where' | 'branches'>

const partOf = (options: KeysetOptions): ListPart<Found> => ({
  read: (place, backwards, limit) => read(options, place, backwards, limit),
  placeOf: (row) => keyOf(row, options),
})

/** How many rows there are, of each branch. */
export const keysetTotal = (options: Counted): number =>
  (options.branches ?? [undefined]).reduce((sum, branch) => sum + countedOne(options, branch), 0)

const countedOne = ({ store, table, where }: Counted, branch: SQL | undefined): number =>
  store.db.select({ n: count() }).from(table).where(and(where, branch)).get()?.n ?? 0

type Found = Record<string, unknown>

function read(options: KeysetOptions, place: CursorValue[] | undefined, backwards: boolean, limit: number): Found[] {
  const { branches, sort } = options
  if (!branches) return readOne(options, place, backwards, limit)
  const ways = sort.map(({ direction }) => ((direction === 'asc') === backwards ? -1 : 1))
  return branches
    .flatMap((branch) => readOne({ ...options, where: and(options.where, branch) }, place, backwards, limit))
    .toSorted((a, b) => {
      const [left, right] = [keyOf(a, options), keyOf(b, options)]
      const index = left.findIndex((value, at) => value !== right[at])
      return index < 0 ? 0 : compared(left[index]!, right[index]!) * ways[index]!
    })
    .slice(0, limit)
}

/** As SQLite does: NULL below every value, text byte by byte. */
function compared(a: CursorValue, b: CursorValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

function readOne(options: KeysetOptions, place: CursorValue[] | undefined, backwards: boolean, limit: number): Found[] {
  const { store, table, sort, joins = [] } = options
  const keys = Object.fromEntries(sort.map(({ column }, index) => [`${KEY}${index}`, column]))
  const fields = { ...(options.select ?? getTableColumns(table)), ...keys }
  // The selection is put together at run time, so drizzle's type of the joined query cannot be known here.
  let query = store.db.select(fields).from(table).$dynamic() as unknown as SQLiteSelect
  for (const join of joins) query = query.leftJoin(join.table, join.on)
  const order = sort.map((one) =>
    (one.direction === 'asc') === backwards ? desc(orderedBy(one)) : asc(orderedBy(one)),
  )
  const rest = place && beyond(sort, place, backwards)
  return query
    .where(and(options.where, rest))
    .orderBy(...order)
    .limit(limit)
    .all() as Found[]
}

function keyOf(row: Found, { sort }: KeysetOptions): CursorValue[] {
  // Columns of sorts are TEXT and INTEGER.
  return sort.map((_, index) => row[`${KEY}${index}`] as CursorValue)
}

const withoutKey = (row: Found, { sort }: KeysetOptions): Found => withoutKeys(row, sort.length)

function withoutKeys(row: Found, keys: number): Found {
  for (let index = 0; index < keys; index++) delete row[`${KEY}${index}`]
  return row
}

function sortSignature({ table, sort }: KeysetOptions): string {
  return [
    'parts',
    getTableName(table),
    ...sort.map(({ column, direction, anyCase }) => `${column.name} ${direction}${anyCase ? ' nocase' : ''}`),
  ].join(',')
}

/** The rows after (or, backwards, before) the place that `values` name. */
export function beyond(sort: KeysetSort[], values: CursorValue[], backwards: boolean): SQL {
  const ascending = sort.map(({ direction }) => (direction === 'asc') !== backwards)
  const uniform = ascending.every((way) => way === ascending[0])
  if (uniform && sort.every(({ column, filled }) => filled || column.notNull || column.primary)) {
    // A row value: the one form of this comparison that SQLite answers from an index.
    const columns = sql.join(
      sort.map((one) => orderedBy(one)),
      sql`, `,
    )
    const place = sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    )
    return ascending[0] ? sql`(${columns}) > (${place})` : sql`(${columns}) < (${place})`
  }
  const branches = sort.map((one, index) =>
    and(
      ...sort.slice(0, index).map((earlier, i) => same(orderedBy(earlier), values[i]!)),
      ascending[index] ? above(orderedBy(one), values[index]!) : below(orderedBy(one), values[index]!),
    ),
  )
  return or(...branches)!
}

const same = (column: SQL, value: CursorValue) => (value === null ? isNull(column) : eq(column, value))
const above = (column: SQL, value: CursorValue) => (value === null ? isNotNull(column) : gt(column, value))
const below = (column: SQL, value: CursorValue) => (value === null ? sql`0` : or(lt(column, value), isNull(column))!)
