import { useMemo } from 'react'
import type { QueryField } from '../../../contract/query-values.ts'
import { DataGrid } from './DataGrid.tsx'
import type { DataGridProps } from './grid.types.ts'

interface StaticGridProps extends Pick<DataGridProps, 'label' | 'fields' | 'links' | 'isMatch'> {
  fields: readonly QueryField[]
  rows: readonly (readonly unknown[])[]
  onOpenCell?: DataGridProps['onOpenCell']
}

const nothing = () => undefined

/** The grid for rows that are all here. */
export function StaticGrid({ label, fields, rows, onOpenCell, links, isMatch }: StaticGridProps) {
  const held = useMemo(
    () => ({
      count: rows.length,
      at: (row: number) => rows[row],
      want: nothing,
      load: (first: number, last: number) => Promise.resolve(rows.slice(first, last + 1)),
    }),
    [rows],
  )
  return (
    <DataGrid
      // Columns are measured once, and belong to their fields.
      key={fields.map(({ name, type }) => `${name} ${type}`).join('\n')}
      label={label}
      fields={fields}
      rows={held}
      table="table_name"
      dialect="duckdb"
      onOpenCell={onOpenCell}
      links={links}
      isMatch={isMatch}
    />
  )
}
