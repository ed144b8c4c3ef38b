import { ActionIcon } from '@mantine/core'
import {
  IconDatabaseOff,
  IconEye,
  IconFile,
  IconRefresh,
  IconSearchOff,
  IconStack2,
  IconTable,
  IconTableOptions,
  IconTableShare,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type Connector, type ResourceSummary, listResources } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { bytesText } from '../../ui/time.ts'
import { ResourceDetailPane } from './ResourceDetailPane.tsx'
import classes from './connectors.module.css'
import { numberText } from '../../ui/format.ts'

const icons = { table: IconTable, view: IconEye, file: IconFile, collection: IconStack2, entity_set: IconTableShare }

/** Files tell no rows before they are read: a column of nothing would take the room of their names. */
function useColumns(withRows: boolean): TableColumn<ResourceSummary>[] {
  const { t } = useTranslation('connectors')
  return useMemo(() => {
    const rows: TableColumn<ResourceSummary> = {
      id: 'rows',
      header: t('columns.rows'),
      width: 92,
      align: 'right',
      cell: (row) => (row.row_estimate === null ? '' : numberText(row.row_estimate)),
    }
    return [
      {
        id: 'name',
        header: t('columns.resource'),
        minWidth: 140,
        cell: (row) => {
          const Icon = icons[row.kind]
          return (
            <>
              <Icon
                size={14}
                stroke={1.6}
                aria-label={t(`resources.kind.${row.kind}`)}
                style={{ verticalAlign: '-2px' }}
              />
              {'  '}
              {row.name}
            </>
          )
        },
      },
      ...(withRows ? [rows] : []),
      {
        id: 'size',
        header: t('columns.size'),
        width: 82,
        align: 'right',
        cell: (row) => (row.bytes === null ? '' : bytesText(row.bytes)),
      },
    ]
  }, [t, withRows])
}

function ResourceList({
  connector,
  chosen,
  onChoose,
}: {
  connector: Connector
  chosen: string | null
  onChoose: (name: string) => void
}) {
  const { t } = useTranslation('connectors')
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const list = useOperation(
    listResources,
    { params: { id: connector.id }, query: { q: q || undefined } },
    { keepPrevious: true, staleTime: 30_000 },
  )
  useCommands([
    {
      id: 'resources.refresh',
      title: t('resources.refresh'),
      icon: IconRefresh,
      shortcut: 'r',
      run: () => void list.refetch(),
    },
  ])
  const rows = list.data?.resources ?? []
  const columns = useColumns(rows.some((row) => row.row_estimate !== null))
  return (
    <>
      <div className={classes.paneBar}>
        <SearchField
          value={q}
          label={t('resources.search')}
          width={220}
          yields={100}
          onChange={(next) =>
            setSearch(
              (before) => {
                const params = new URLSearchParams(before)
                if (next) params.set('q', next)
                else params.delete('q')
                return params
              },
              { replace: true },
            )
          }
        />
        <span className={classes.muted} style={{ marginLeft: 'auto', fontSize: 12, whiteSpace: 'nowrap' }}>
          {list.data ? t('resources.count', { count: rows.length }) : null}
        </span>
        <Hint label={t('resources.refresh')} command="resources.refresh">
          <ActionIcon aria-label={t('resources.refresh')} onClick={() => void list.refetch()} loading={list.isFetching}>
            <IconRefresh size={15} />
          </ActionIcon>
        </Hint>
      </div>
      <DataTable
        id="resources"
        label={t('resources.label')}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.name}
        activeKey={chosen}
        onActiveChange={(row) => onChoose(row.name)}
        onOpen={(row) => onChoose(row.name)}
        loading={list.isPending}
        error={list.error}
        what="resources"
        onRetry={() => void list.refetch()}
        empty={
          q ? (
            <EmptyState icon={IconSearchOff} title={t('resources.noMatch')} text={t('resources.noMatchText')} />
          ) : (
            <EmptyState icon={IconDatabaseOff} title={t('resources.empty')} text={t('resources.emptyText')} />
          )
        }
      />
      {list.data?.truncated ? <div className={classes.truncated}>{t('resources.truncated')}</div> : null}
    </>
  )
}

/** Tables and files behind a connector, beside what one of them holds. The choice stands in the address. */
export function ResourceBrowser({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('resource')
  const choose = (name: string) => {
    if (name === chosen) return
    setSearch(
      (before) => {
        const params = new URLSearchParams(before)
        params.set('resource', name)
        return params
      },
      { replace: true },
    )
  }
  return (
    <SplitPane id="connectors.resources" initial={0.34} minSize={260}>
      <ResourceList connector={connector} chosen={chosen} onChoose={choose} />
      {chosen ? (
        <ResourceDetailPane key={chosen} connectorId={connector.id} name={chosen} />
      ) : (
        <EmptyState icon={IconTableOptions} title={t('resources.chooseTitle')} text={t('resources.chooseText')} />
      )}
    </SplitPane>
  )
}
