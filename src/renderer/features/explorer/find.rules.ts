/** Finding, filtering, and sorting rows that were read. Pure. */
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import type { FilterOperator } from '../../../language/query/query.types.ts'
import { cellOf, hexOf, isNumber } from '../../ui/grid/cell.rules.ts'
import { compareKeys, keyOf, writtenKey } from '../../ui/grid/order.rules.ts'

export const findOperators = [
  'contains',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'is null',
  'is not null',
] as const satisfies readonly FilterOperator[]
export type FindOperator = (typeof findOperators)[number]

/** What is looked for. `field`: number of the column; null: in all of them, which `contains` alone can. */
export interface Condition {
  field: number | null
  operator: FindOperator
  value: string
}
export interface Sort {
  field: number
  order: 'asc' | 'desc'
}

export type FindMistake = 'number' | 'date' | 'boolean'
type Row = readonly unknown[]
/** Numbers of the fields that hold what is looked for. */
export type FindTest = (row: Row) => number[]

/** null: nothing is looked for. */
export function testOf(
  condition: Condition,
  fields: readonly QueryField[],
): { test: FindTest } | { mistake: FindMistake } | null {
  const { field, operator, value } = condition
  if (operator === 'is null' || operator === 'is not null') {
    if (field === null) return null
    const wanted = operator === 'is null'
    return { test: (row) => (((row[field] ?? null) === null) === wanted ? [field] : []) }
  }
  if (value === '') return null
  if (operator === 'contains' || field === null) return { test: containing(field, value.toLowerCase(), fields) }
  const type = fields[field]?.type ?? 'text'
  // SQLite has values of other types in a column, and `any` is each value's own.
  const mixed = type === 'any' ? undefined : writtenKey(value, type)
  if (type !== 'any' && mixed === undefined)
    return { mistake: isNumber(type) ? 'number' : type === 'boolean' ? 'boolean' : 'date' }
  const holds = meets[operator]
  return {
    test: (row) => {
      const cell = cellOf(row[field], type)
      const key = keyOf(cell)
      const wanted = key && (cell.type === type ? mixed : writtenKey(value, cell.type))
      return key && wanted && key.rank === wanted.rank && holds(compareKeys(key, wanted)) ? [field] : []
    },
  }
}

const meets: Record<Exclude<FindOperator, 'contains' | 'is null' | 'is not null'>, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function containing(field: number | null, wanted: string, fields: readonly QueryField[]): FindTest {
  const looked = field === null ? fields.map((_, index) => index) : [field]
  return (row) =>
    looked.filter((index) => {
      const { type, text } = cellOf(row[index], fields[index]?.type ?? 'text')
      if (typeof text !== 'string') return false
      return (type === 'bytes' ? hexOf(text) : text).toLowerCase().includes(wanted)
    })
}

/** Numbers of the rows in their new order; rows without a value come last, and equal ones stay as they were. */
export function sortedRows(rows: readonly Row[], { field, order }: Sort, fields: readonly QueryField[]): number[] {
  const type = fields[field]?.type ?? 'text'
  const keys = rows.map((row) => keyOf(cellOf(row[field], type)))
  const sign = order === 'asc' ? 1 : -1
  return [...keys.keys()].toSorted((a, b) => {
    const [first, second] = [keys[a], keys[b]]
    if (!first || !second) return first ? -1 : second ? 1 : a - b
    return sign * compareKeys(first, second) || a - b
  })
}

/** The same, asked of the system. null: it can’t be said in conditions. */
export function asDefinition(
  base: ExplorerPresetDefinition,
  condition: Condition | null,
  sort: Sort | null,
  fields: readonly QueryField[],
): ExplorerPresetDefinition | null {
  const nameOf = (field: number) => {
    const name = fields[field]?.name
    // Which of two columns of one name is meant can’t be said.
    return name === undefined || fields.filter((other) => other.name === name).length > 1 ? null : name
  }
  const filterName = condition && condition.field !== null ? nameOf(condition.field) : undefined
  const sortName = sort ? nameOf(sort.field) : undefined
  if (filterName === null || sortName === null || (condition && filterName === undefined)) return null
  return {
    ...base,
    ...(condition &&
      filterName !== undefined && {
        filters: [
          ...(base.filters ?? []),
          { field: filterName, operator: condition.operator, value: condition.value, valueType: 'auto' },
        ],
      }),
    ...(sort && sortName !== undefined && { sort: sortName, order: sort.order }),
  }
}
