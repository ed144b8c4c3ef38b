import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostEdits } from '../../../contract/changes.ts'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { numberText } from '../../ui/format.ts'
import type { GridEdits, GridRows } from '../../ui/grid/grid.types.ts'
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
import { wholeRow } from './whole-row.ts'
import { isChangeable, isWholeRows } from './writes.rules.ts'

/** Edits of a result’s rows; null where its rows can’t be edited. */
export function useStaged(connector: Connector, resource: string | null, result: ShownResult) {
  const { can } = useSession()
  const { t } = useTranslation('changes')
  /** Rows as they were read, complete: what is compared before anything is written. */
  const [originals] = useState(() => new Map<number, readonly unknown[]>())
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
  const originalAt = (row: number) => originals.get(row) ?? rows.at(row)
  const shownAt = (row: number): readonly unknown[] | undefined => {
    const values = row < added ? edits.inserted[row] : edits.updated.get(row - added)
    const read = row < added ? fields.map(() => undefined) : originalAt(row - added)
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
      if (kindOf(edits, row) === 'delete') return warn(t('edit.deleted'))
      void prepare([row], () => setCell({ row, field: column }))
    },
    onDelete: (rowsGone) => {
      const count = rowsGone.length
      if (count > mostEdits) return warn(t('tooMany', { most: numberText(mostEdits), formatted: numberText(count) }))
      void prepare(rowsGone, () => setEdits((now) => withoutRows(now, rowsGone)))
    },
    onUndo: () => setEdits(edits.before ?? edits),
  }
  const warn = (message: string) => void notifications.show({ color: 'yellow', message })
  /** Has these rows complete before something is done with them; says why where that can’t be. */
  async function prepare(changed: readonly number[], then: () => void): Promise<void> {
    try {
      for (const row of changed.map((one) => one - added)) {
        if (row >= 0 && !originals.has(row)) originals.set(row, await wholeRow(connector.id, result, row))
      }
      then()
    } catch (error) {
      warn(t('edit.notRead', { problem: error instanceof Error ? error.message : String(error) }))
    }
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
      const original = cell.row < added ? undefined : originalAt(cell.row - added)?.[cell.field]
      setEdits(withValue(edits, { ...cell, value, original }))
      setCell(null)
    },
    close: () => setCell(null),
    changes: () => ({ resource, edits: requestOf(edits, fields, originalAt) }),
  }
}
