import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ViewedList } from '../../../contract/saved-views.ts'
import type { OperationId } from '../../../contract/operations.ts'
import type { ListState } from '../../api/queries.ts'
import type { TableColumn } from '../table.types.ts'
import { WorkList } from '../work-list/WorkList.tsx'
import type { ListAddress } from '../work-list/use-list-address.ts'
import type { ListAction } from '../work-list/work-list.types.ts'
import { type DocumentRow, useDocumentColumns } from './use-document-columns.tsx'

interface DocumentListProps<Row extends DocumentRow> {
  /** Remembers widths, columns and views under this name. */
  id: ViewedList
  words: { label: string; search: string; total: string | null }
  list: ListState<Row>
  address: ListAddress
  /** What one kind alone has. */
  columns: readonly TableColumn<Row>[]
  hrefOf: (row: Row) => string
  actions: readonly ListAction<Row>[]
  invalidates: readonly OperationId[]
  empty: ReactNode
}

const keyOf = (row: DocumentRow) => row.id
const nameOf = (row: DocumentRow) => row.name
const isArchived = (row: DocumentRow) => row.archived === 1

/** A list of documents: searched, narrowed by tags, active or archived. */
export function DocumentList<Row extends DocumentRow>(props: DocumentListProps<Row>) {
  const { id, words, list, address, actions, invalidates, empty } = props
  const { t } = useTranslation('lists')
  const { values } = address
  const columns = useDocumentColumns(props.columns, (tag) => address.choose('tag', [tag]))
  // The tags of what is shown; those chosen stay in the list, so that they can be taken out.
  const choices = useMemo(() => {
    const tags = new Set([...values('tag'), ...list.rows.flatMap((row) => row.tags)])
    if (tags.size === 0) return []
    const options = [...tags].toSorted().map((tag) => ({ value: tag, label: tag }))
    return [{ id: 'tag', label: t('filter.tag'), options }]
  }, [t, values, list.rows])
  return (
    <WorkList
      id={id}
      label={words.label}
      list={list}
      columns={columns}
      rowKey={keyOf}
      rowHref={props.hrefOf}
      nameOf={nameOf}
      isMuted={isArchived}
      address={address}
      search={words.search}
      archives
      choices={choices}
      actions={actions}
      invalidates={invalidates}
      total={words.total}
      empty={empty}
    />
  )
}
