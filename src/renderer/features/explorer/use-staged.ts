import { useState } from 'react'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import type { GridEdits, GridRows } from '../../ui/grid/DataGrid.tsx'
import {
  type StagedEdits,
  countOf,
  kindOf,
  noEdits,
  requestOf,
  withRow,
  withValue,
  withoutRows,
} from './staged-edits.ts'
import type { ShownResult } from './use-query.ts'
import { isChangeable, isWholeRows } from './writes.rules.ts'

/** Edits of a result’s rows; null where its rows can’t be edited. */
export function useStaged(connector: Connector, resource: string | null, result: ShownResult) {
  const { can } = useSession()
  const [edits, setEdits] = useState<StagedEdits>(noEdits)
  const [cell, setCell] = useState<{ row: number; field: number } | null>(null)
  const { fields, rows, statement } = result
  const isEditable =
    resource !== null &&
    can('changeConnectorData') &&
    isChangeable(connector) &&
    isWholeRows(connector, resource, statement)
  if (!isEditable) return null
  const added = edits.inserted.length
  /** Values that are shown in part can’t be compared. */
  const isCut = (row: number): boolean =>
    row >= added && fields.some((_, field) => rows.cutAt(row - added, field) !== undefined)
  const shownAt = (row: number): readonly unknown[] | undefined => {
    const values = row < added ? edits.inserted[row] : edits.updated.get(row - added)
    const read = row < added ? fields.map(() => undefined) : rows.at(row - added)
    return values && read ? read.map((value, field) => (values.has(field) ? values.get(field) : value)) : read
  }
  const source: GridRows = {
    count: rows.state.count + added,
    at: shownAt,
    want: (first, last) => rows.want(Math.max(0, first - added), Math.max(0, last - added)),
    async load(first, last) {
      const fresh = Array.from({ length: Math.max(0, Math.min(last + 1, added) - first) }, (_, at) => first + at)
      if (last >= added) await rows.load(Math.max(0, first - added), last - added)
      const rest = Array.from({ length: last - first + 1 - fresh.length }, (_, at) => first + fresh.length + at)
      return [...fresh, ...rest].flatMap((row) => {
        const values = shownAt(row)
        return values ? [values] : []
      })
    },
  }
  const grid: GridEdits = {
    kindOf: (row) => kindOf(edits, row),
    isChanged: (row, field) => row >= added && edits.updated.get(row - added)?.has(field) === true,
    onEdit: ({ row, column }) => {
      if (rows.at(row - added) === undefined && row >= added) return
      if (!isCut(row) && kindOf(edits, row) !== 'delete') setCell({ row, field: column })
    },
    onDelete: (first, last) => {
      const from = Math.max(first, last - mostDeleted + 1)
      const isHere = Array.from({ length: last - from + 1 }, (_, at) => from + at).every(
        (row) => row < added || (rows.at(row - added) !== undefined && !isCut(row)),
      )
      if (isHere) setEdits(withoutRows(edits, from, last))
    },
    onUndo: () => setEdits(edits.before ?? edits),
  }
  const editedRow = cell ? shownAt(cell.row) : undefined
  return {
    source,
    grid,
    count: countOf(edits),
    canUndo: edits.before !== null,
    add: () => setEdits(withRow(edits)),
    discard: () => setEdits(noEdits),
    /** The cell that is being edited. */
    cell: cell && { field: fields[cell.field], value: editedRow?.[cell.field] },
    save: (value: unknown) => {
      if (!cell) return
      const original = cell.row < added ? undefined : rows.at(cell.row - added)?.[cell.field]
      setEdits(withValue(edits, { ...cell, value, original }))
      setCell(null)
    },
    close: () => setCell(null),
    changes: () => ({ resource, edits: requestOf(edits, fields, (row) => rows.at(row)) }),
  }
}

/** More edits are not taken at a time. */
const mostDeleted = 1000
