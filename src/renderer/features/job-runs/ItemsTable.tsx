import { Select } from '@mantine/core'
import { IconFilterOff, IconListNumbers } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRunItem, type JobRunNode, listJobRunItems, nodeStatuses } from '../../../contract/job-runs.ts'
import { useList } from '../../api/queries.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { ItemBadge } from './JobRunBadge.tsx'
import classes from './JobRunPage.module.css'
import { itemText } from './tree-rows.ts'
import { countText, numberText } from '../../ui/format.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'
import { translateError } from '../../i18n/translate.ts'

const keyOf = (item: JobRunItem) => item.index
const pageRows = 200

function useColumns(): TableColumn<JobRunItem>[] {
  const { t } = useTranslation('jobRuns')
  return useMemo(
    () => [
      { id: 'index', header: t('items.index'), width: 56, align: 'right', cell: (item) => item.index },
      {
        id: 'value',
        header: t('items.value'),
        minWidth: 96,
        mono: true,
        cell: (item) => <span title={itemText(item.item)}>{itemText(item.item)}</span>,
      },
      {
        id: 'status',
        header: t('items.status'),
        width: 104,
        uncut: true,
        cell: (item) => <ItemBadge status={item.status} />,
      },
      {
        id: 'began',
        header: t('items.began'),
        width: 92,
        cell: (item) => <RelativeTime at={item.started_at} />,
      },
      {
        id: 'duration',
        header: t('items.duration'),
        width: 72,
        align: 'right',
        cell: (item) => <Duration ms={item.duration_ms} since={item.status === 'running' ? item.started_at : null} />,
      },
      {
        id: 'rows',
        header: t('items.rows'),
        width: 72,
        align: 'right',
        cell: (item) => countText(item.item_count),
      },
      {
        id: 'error',
        header: t('items.error'),
        minWidth: 110,
        cell: (item) =>
          item.error_message ? (
            <span className={classes.error} title={translateError(item) ?? undefined}>
              <CodeWords text={translateError(item) ?? ''} />
            </span>
          ) : null,
      },
    ],
    [t],
  )
}

export interface ItemsTableProps {
  jobRunId: number
  node: JobRunNode
  chosen: number | null
  onChoose(item: number): void
}

/** The items of a `for_each`; choosing one shows its log, outputs and rejects in the other tabs. */
export function ItemsTable({ jobRunId, node, chosen, onChoose }: ItemsTableProps) {
  const { t } = useTranslation('jobRuns')
  const [written, setStatus] = useAddressChoice('items')
  const status = nodeStatuses.find((one) => one === written) ?? null
  const list = useList(
    listJobRunItems,
    { params: { id: jobRunId, key: node.key }, query: { limit: pageRows, ...(status ? { status } : {}) } },
    { keepPrevious: true },
  )
  const columns = useColumns()
  const present = nodeStatuses.filter((one) => (node.item_counts[one] ?? 0) > 0 || one === status)
  return (
    <div className={classes.fill}>
      <div className={classes.itemsBar}>
        <Select
          w={190}
          aria-label={t('items.status')}
          placeholder={t('items.anyStatus')}
          data={present.map((one) => ({
            value: one as string,
            label: `${t(`nodeStatus.${one}`)} (${numberText(node.item_counts[one] ?? 0)})`,
          }))}
          value={status}
          clearable
          onChange={setStatus}
        />
      </div>
      <DataTable
        id="job-run-items"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        label={t('items.label', { key: node.key })}
        onOpen={(item) => onChoose(item.index)}
        activeKey={chosen}
        {...listProps(list)}
        what="items"
        empty={
          <EmptyState
            icon={status ? IconFilterOff : IconListNumbers}
            title={status ? t('items.filteredTitle') : t('items.emptyTitle')}
            text={status ? undefined : t('items.emptyText')}
            compact
          />
        }
      />
    </div>
  )
}
