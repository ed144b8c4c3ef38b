/** Where the values of a row lead, by the foreign keys of its table. Pure. */
import type { ForeignKey, ResourceDetail } from '../../../contract/connectors.ts'
import type { ExplorerFilter } from '../../../contract/explorer-presets.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import { cellOf, isNumber } from '../../ui/grid/cell.rules.ts'

export interface RowLink {
  /** The table that it leads to. */
  table: string
  /** The columns that refer. */
  columns: readonly string[]
  /** To the rows that refer to this one, rather than to the one that it refers to. */
  back: boolean
  filters: ExplorerFilter[]
}
type Keys = Pick<ResourceDetail, 'foreign_keys' | 'referenced_by'>

/** Number of a column; systems that don't tell `Id` from `id` write keys as their author did. */
function fieldOf(fields: readonly QueryField[], column: string): number {
  const exact = fields.findIndex(({ name }) => name === column)
  return exact >= 0 ? exact : fields.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase())
}

/** Fields that are part of a foreign key. */
export const linkedFields = ({ foreign_keys = [] }: Keys, fields: readonly QueryField[]): ReadonlySet<number> =>
  new Set(foreign_keys.flatMap(({ columns }) => columns.map((column) => fieldOf(fields, column))))

/** The links of a cell: to what its column refers to, then to all that refers to its row. */
export function linksOf(
  { foreign_keys = [], referenced_by = [] }: Keys,
  fields: readonly QueryField[],
  row: readonly unknown[],
  field: number,
): RowLink[] {
  const lead = ({ table, columns, references }: ForeignKey, back: boolean): RowLink[] => {
    const [own, other] = back ? [references, columns] : [columns, references]
    const filters = own.flatMap((column, at) => {
      const index = fieldOf(fields, column)
      return filterOf(other[at] ?? '', row[index], fields[index])
    })
    // A key of which a part is NULL refers to nothing.
    return filters.length === own.length ? [{ table, columns, back, filters }] : []
  }
  return [
    ...foreign_keys
      .filter(({ columns }) => columns.some((column) => fieldOf(fields, column) === field))
      .flatMap((key) => lead(key, false)),
    ...referenced_by.flatMap((key) => lead(key, true)),
  ]
}

/** `column = value`, the value as it is written with every digit; nothing where it can't be said so. */
function filterOf(column: string, value: unknown, field: QueryField | undefined): ExplorerFilter[] {
  if (!field) return []
  const { type, text } = cellOf(value, field.type)
  if (typeof text !== 'string' || type === 'bytes' || type === 'json' || type === 'document') return []
  const valueType = isNumber(type)
    ? 'number'
    : type === 'boolean'
      ? 'boolean'
      : type === 'date' || type === 'datetime' || type === 'datetime_tz'
        ? 'date'
        : 'string'
  // Placeholders of presets are no values.
  return text.includes('{{') ? [] : [{ field: column, operator: '=', value: text, valueType }]
}
