import { Modal } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { ListState } from '../../api/queries.ts'
import { DataTable } from '../DataTable.tsx'
import { EmptyState } from '../EmptyState.tsx'
import type { Loaded } from '../ErrorState.tsx'
import { listProps } from '../list-props.ts'
import type { TableColumn } from '../table.types.ts'

interface CompareDialogProps<Row extends { id: number }> {
  /** The record that the other one is compared with. */
  id: number
  title: string
  list: ListState<Row>
  columns: readonly TableColumn<Row>[]
  what: Loaded
  to(id: number): string
  onClose(): void
}

/** Columns that tell runs of one task or job apart. */
const telling: ReadonlySet<string> = new Set(['id', 'status', 'created', 'duration', 'rows', 'tasks'])
const height = 360
const keyOf = ({ id }: { id: number }) => id

/** The other records of the same kind: a click on one compares the two. */
export function CompareDialog<Row extends { id: number }>(props: CompareDialogProps<Row>) {
  const { id, title, list, what, to, onClose } = props
  const { t } = useTranslation()
  const navigate = useNavigate()
  const columns = useMemo(
    // In one order, that of time, which needs no choice.
    () => props.columns.filter((column) => telling.has(column.id)).map((column) => ({ ...column, sortable: false })),
    [props.columns],
  )
  const rows = useMemo(() => list.rows.filter((row) => row.id !== id), [list.rows, id])
  return (
    <Modal opened onClose={onClose} size={640} title={<b>{title}</b>} closeButtonProps={{ 'aria-label': t('close') }}>
      <DataTable
        id="compare-with"
        height={height}
        rows={rows}
        columns={columns}
        rowKey={keyOf}
        label={title}
        onOpen={(row) => void navigate(to(row.id))}
        {...listProps(list)}
        what={what}
        empty={<EmptyState icon={IconArrowsDiff} title={t('compare.noOthers')} compact />}
      />
    </Modal>
  )
}
