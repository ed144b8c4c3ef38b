import { Button } from '@mantine/core'
import { type TablerIcon, IconArchive, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { OperationId } from '../../../contract/operations.ts'
import type { ViewedList } from '../../../contract/saved-views.ts'
import type { ListState } from '../../api/queries.ts'
import { CommandButton } from '../CommandButton.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { EmptyList } from '../first-step/FirstStep.tsx'
import { Page } from '../Page.tsx'
import { numberText } from '../format.ts'
import type { TableColumn } from '../table.types.ts'
import { NoMatch } from '../work-list/NoMatch.tsx'
import { WorkList } from '../work-list/WorkList.tsx'
import type { ListAddress } from '../work-list/use-list-address.ts'
import type { ListAction } from '../work-list/work-list.types.ts'
import { type DocumentRow, useDocumentColumns } from './use-document-columns.tsx'

interface DocumentListPageProps<Row extends DocumentRow> {
  /** Remembers widths, columns and views under this name. */
  id: ViewedList
  /** What the kind and its list are called. */
  words: 'tasks' | 'jobTemplates' | 'dashboardTemplates'
  icon: TablerIcon
  /** Where a new one is written; null for those who can’t. */
  newPath: string | null
  list: ListState<Row>
  address: ListAddress
  /** What one kind alone has. */
  columns: readonly TableColumn<Row>[]
  hrefOf: (row: Row) => string
  actions: readonly ListAction<Row>[]
  invalidates: readonly OperationId[]
}

const keyOf = (row: DocumentRow) => row.id
const nameOf = (row: DocumentRow) => row.name
const isArchived = (row: DocumentRow) => row.archived === 1

/** All documents of a kind: searched, narrowed by tags, active or archived. */
export function DocumentListPage<Row extends DocumentRow>(props: DocumentListPageProps<Row>) {
  const { id, newPath, list, address, actions, invalidates } = props
  const { t } = useTranslation('lists')
  const { t: words } = useTranslation(props.words)
  const navigate = useNavigate()
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
    <Page
      title={words('title')}
      layout="fill"
      actions={
        newPath === null ? null : (
          <CommandButton
            id={`${id}.new`}
            label={words('list.new')}
            icon={IconPlus}
            onClick={() => void navigate(newPath)}
            shortcut="c"
          />
        )
      }
    >
      <WorkList
        id={id}
        label={words('list.label')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        rowHref={props.hrefOf}
        nameOf={nameOf}
        isMuted={isArchived}
        address={address}
        search={words('list.search')}
        archives
        choices={choices}
        actions={actions}
        invalidates={invalidates}
        total={
          list.total === undefined
            ? null
            : words('list.total', { count: list.total, formatted: numberText(list.total) })
        }
        empty={<NoDocuments address={address} words={props.words} icon={props.icon} newPath={newPath} />}
      />
    </Page>
  )
}

const goals = { tasks: 'task', jobTemplates: 'template', dashboardTemplates: 'dashboardTemplate' } as const

/** Why the list shows nothing: none matches, none is archived, or there is none yet. */
function NoDocuments({
  address,
  words,
  icon,
  newPath,
}: Pick<DocumentListPageProps<DocumentRow>, 'address' | 'words' | 'icon' | 'newPath'>) {
  const { t } = useTranslation('documents')
  const { t: own } = useTranslation(words)
  if (address.filtered) return <NoMatch title={own('list.filteredTitle')} address={address} />
  if (address.archived)
    return <EmptyState icon={IconArchive} title={t('list.archivedEmptyTitle')} text={own('list.archivedEmptyText')} />
  return (
    <EmptyList
      goal={goals[words]}
      icon={icon}
      title={own('list.emptyTitle')}
      text={own('list.emptyText')}
      action={
        newPath === null ? undefined : (
          <Button component={Link} to={newPath} leftSection={<IconPlus size={14} />}>
            {own('list.new')}
          </Button>
        )
      }
    />
  )
}
