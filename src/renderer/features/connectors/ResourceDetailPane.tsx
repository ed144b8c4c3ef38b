import { SegmentedControl } from '@mantine/core'
import { IconKey, IconListSearch, IconTableOff, IconTableSpark } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type ResourceDetail, getResource, sampleRows } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RowsTable } from '../../ui/RowsTable.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { bytesText } from '../../ui/time.ts'
import { useAddressPart } from '../../ui/use-address-part.ts'
import classes from './connectors.module.css'

type ResourceColumn = ResourceDetail['columns'][number]
type ResourceIndex = ResourceDetail['indexes'][number]
const views = ['sample', 'columns', 'indexes'] as const

function useFieldColumns(): TableColumn<ResourceColumn>[] {
  const { t } = useTranslation('connectors')
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('columns.column'),
        minWidth: 160,
        mono: true,
        cell: (row) => (
          <>
            {row.primary_key ? (
              <IconKey size={13} className={classes.key} aria-label={t('resources.primaryKey')} />
            ) : null}
            {row.name}
          </>
        ),
      },
      { id: 'type', header: t('columns.columnType'), width: 180, mono: true, cell: (row) => row.type },
      {
        id: 'nullable',
        header: t('columns.nullable'),
        width: 90,
        cell: (row) => (row.nullable === null ? '' : row.nullable ? t('resources.yes') : t('resources.no')),
      },
      { id: 'default', header: t('columns.default'), minWidth: 120, mono: true, cell: (row) => row.default ?? '' },
    ],
    [t],
  )
}

function ColumnsView({ detail }: { detail: ResourceDetail }) {
  const { t } = useTranslation('connectors')
  const columns = useFieldColumns()
  return (
    <DataTable
      id="resource.columns"
      label={t('resources.columns')}
      rows={detail.columns}
      columns={columns}
      rowKey={nameOf}
    />
  )
}

function useIndexColumns(): TableColumn<ResourceIndex>[] {
  const { t } = useTranslation('connectors')
  return useMemo(
    () => [
      { id: 'name', header: t('columns.index'), minWidth: 200, mono: true, cell: (row) => row.name },
      {
        id: 'columns',
        header: t('columns.indexColumns'),
        minWidth: 200,
        mono: true,
        cell: (row) => row.columns.join(', '),
      },
      {
        id: 'unique',
        header: t('columns.unique'),
        width: 90,
        cell: (row) => (row.unique ? t('resources.yes') : t('resources.no')),
      },
    ],
    [t],
  )
}

function IndexesView({ detail }: { detail: ResourceDetail }) {
  const { t } = useTranslation('connectors')
  const columns = useIndexColumns()
  return (
    <DataTable
      id="resource.indexes"
      label={t('resources.indexes')}
      rows={detail.indexes}
      columns={columns}
      rowKey={nameOf}
      empty={<EmptyState icon={IconListSearch} title={t('resources.noIndexes')} />}
    />
  )
}

const nameOf = (row: { name: string }) => row.name

function Facts({ detail }: { detail: ResourceDetail }) {
  const { t } = useTranslation('connectors')
  const facts: string[] = [t(`resources.kind.${detail.kind}`)]
  if (detail.row_estimate !== null) {
    facts.push(t('resources.approximately', { rows: t('resources.rows', { count: detail.row_estimate }) }))
  }
  if (detail.bytes !== null) facts.push(bytesText(detail.bytes))
  return <span className={classes.muted}>{facts.join(' · ')}</span>
}

const Counted = ({ word, count }: { word: string; count: number }) => (
  <>
    {word} <span className={classes.muted}>{count}</span>
  </>
)

/** One table or file: a sample of its rows, its columns with keys, its indexes. */
export function ResourceDetailPane({ connectorId, name }: { connectorId: number; name: string }) {
  const { t } = useTranslation('connectors')
  const [view, setView] = useAddressPart('view', views, 'sample')
  const detail = useOperation(getResource, { params: { id: connectorId, name } }, { staleTime: 30_000 })
  const { data } = detail
  const indexed = data?.kind !== 'file' && data?.kind !== 'entity_set'
  const shown = view === 'indexes' && !indexed ? 'sample' : view
  const { can } = useSession()
  return (
    <>
      <div className={classes.resourceHead}>
        <h2 className="hg-mono" title={name}>
          {name}
        </h2>
        {data ? <Facts detail={data} /> : null}
        {can('queryConnector') ? (
          <CommandButton
            id="resources.query"
            label={t('resources.query')}
            to={paths.explorer({ connector: connectorId, resource: name })}
            icon={IconTableSpark}
            variant="default"
            shortcut="q"
          />
        ) : null}
        {data ? (
          <SegmentedControl
            ml="auto"
            value={shown}
            onChange={(value) => setView(value)}
            data={[
              { value: 'sample', label: t('resources.sample') },
              { value: 'columns', label: <Counted word={t('resources.columns')} count={data.columns.length} /> },
              ...(indexed
                ? [
                    {
                      value: 'indexes' as const,
                      label: <Counted word={t('resources.indexes')} count={data.indexes.length} />,
                    },
                  ]
                : []),
            ]}
          />
        ) : null}
      </div>
      {detail.error && !data ? (
        <ErrorState what="resource" error={detail.error} onRetry={() => void detail.refetch()} />
      ) : null}
      {detail.isPending ? (
        <DataTable label={name} rows={[]} columns={pendingColumns} rowKey={() => ''} loading />
      ) : null}
      {data && shown === 'sample' ? (
        <>
          <RowsTable
            label={t('resources.sample')}
            columns={data.sample.columns}
            rows={data.sample.rows}
            empty={<EmptyState icon={IconTableOff} title={t('resources.noRows')} text={t('resources.noRowsText')} />}
          />
          {data.sample.rows.length > 0 ? (
            <p className={classes.sampleFoot}>
              {data.sample.rows.length < sampleRows
                ? t('resources.rows', { count: data.sample.rows.length })
                : t('resources.sampleOf', { count: sampleRows })}
            </p>
          ) : null}
        </>
      ) : null}
      {data && shown === 'columns' ? <ColumnsView detail={data} /> : null}
      {data && shown === 'indexes' ? <IndexesView detail={data} /> : null}
    </>
  )
}

const pendingColumns: TableColumn<never>[] = ['a', 'b', 'c', 'd'].map((id) => ({ id, header: '', cell: () => '' }))
