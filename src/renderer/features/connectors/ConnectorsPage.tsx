import { Checkbox, Select } from '@mantine/core'
import { IconPlugConnected, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { type Connector, listConnectorTypes, listConnectors } from '../../../contract/connectors.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn, TableSort } from '../../ui/table.types.ts'
import { EnvironmentMark } from './EnvironmentMark.tsx'
import { describeAddress } from './address.ts'
import { useStageName } from './stage-name.ts'
import { ConnectorIcon } from './type-looks.tsx'

function LastTest({ connector }: { connector: Connector }) {
  const stageName = useStageName()
  const { t } = useTranslation('connectors')
  if (!connector.last_test) return <StatusBadge status="not_tested" />
  const failed = connector.last_test.checks.find((check) => !check.ok)
  return (
    <>
      <StatusBadge
        status={connector.last_test.ok ? 'ok' : 'failed'}
        label={failed ? t('test.failedAt', { stage: stageName(connector.type, failed.name) }) : undefined}
      />{' '}
      <RelativeTime at={connector.last_test_at} />
    </>
  )
}

function useColumns(typeTitle: (type: string) => string): TableColumn<Connector>[] {
  const { t } = useTranslation('connectors')
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('columns.name'),
        sortable: true,
        minWidth: 160,
        cell: (row) => (
          <>
            <ConnectorIcon type={row.type} />
            {'  '}
            {row.name}
          </>
        ),
      },
      { id: 'type', header: t('columns.type'), width: 180, cell: (row) => typeTitle(row.type) },
      { id: 'address', header: t('columns.address'), mono: true, minWidth: 160, cell: (row) => describeAddress(row) },
      {
        id: 'environment',
        header: t('columns.environment'),
        width: 108,
        cell: (row) => <EnvironmentMark environment={row.environment} />,
      },
      { id: 'last_test', header: t('columns.lastTest'), width: 220, cell: (row) => <LastTest connector={row} /> },
      {
        id: 'created_at',
        header: t('columns.created'),
        width: 100,
        sortable: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ],
    [t, typeTitle],
  )
}

type Filters = QueryOf<typeof listConnectors>

/** Filters live in the address, so that a link shows the same list. */
function useFilters() {
  const [search, setSearch] = useSearchParams()
  const filters: Filters = {
    q: search.get('q') ?? undefined,
    // The server refuses what it does not know, and says so in place of the list.
    type: (search.get('type') ?? undefined) as Filters['type'],
    archived: search.get('archived') === 'true' ? true : undefined,
    sort: search.get('sort') === 'created_at' ? 'created_at' : 'name',
    order: search.get('order') === 'desc' ? 'desc' : 'asc',
  }
  const set = (changes: Readonly<Record<string, string | undefined>>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  return { filters, set, filtered: Boolean(filters.q ?? filters.type ?? filters.archived) }
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('connectors')
  const { can } = useSession()
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={t('filteredOut.title')}
        text={t('filteredOut.text')}
        action={
          <CommandButton
            id="list.clear-filters"
            label={t('filteredOut.action')}
            variant="default"
            onClick={onClear}
            shortcut="shift+f"
          />
        }
      />
    )
  }
  return (
    <EmptyState
      icon={IconPlugConnected}
      title={t('empty.title')}
      text={can('createConnector') ? t('empty.text') : t('empty.viewer')}
      action={
        can('createConnector') ? (
          <CommandButton id="connectors.new" label={t('new')} to={paths.connectorNew()} icon={IconPlus} shortcut="c" />
        ) : undefined
      }
    />
  )
}

export function ConnectorsPage() {
  const { t } = useTranslation('connectors')
  const navigate = useNavigate()
  const { can } = useSession()
  const { filters, set, filtered } = useFilters()
  const types = useOperation(listConnectorTypes)
  const list = useList(listConnectors, { query: filters }, { keepPrevious: true })
  const known = useInLanguage(types.data, connectorTypeTexts)
  const titles = useMemo(() => new Map(known?.map((type) => [type.type, type.title])), [known])
  const columns = useColumns(useMemo(() => (type: string) => titles.get(type) ?? type, [titles]))
  const sort: TableSort = { id: filters.sort ?? 'name', order: filters.order ?? 'asc' }
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        can('createConnector') ? (
          <CommandButton id="connectors.new" label={t('new')} to={paths.connectorNew()} icon={IconPlus} shortcut="c" />
        ) : null
      }
      toolbar={
        <Toolbar right={list.total === undefined ? null : t('count', { count: list.total })}>
          <SearchField value={filters.q ?? ''} onChange={(q) => set({ q })} label={t('search')} />
          <Select
            w={160}
            clearable
            aria-label={t('columns.type')}
            placeholder={t('allTypes')}
            data={known?.map(({ type, title }) => ({ value: type, label: title })) ?? []}
            value={filters.type ?? null}
            onChange={(type) => set({ type: type ?? undefined })}
          />
          <Checkbox
            label={t('showArchived')}
            checked={filters.archived ?? false}
            onChange={(event) => set({ archived: event.currentTarget.checked ? 'true' : undefined })}
          />
        </Toolbar>
      }
    >
      <DataTable
        id="connectors"
        label={t('title')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => paths.connector(row.id)}
        onOpen={(row) => void navigate(paths.connector(row.id))}
        isMuted={(row) => row.archived === 1}
        sort={sort}
        onSort={({ id, order }) => set({ sort: id, order })}
        {...listProps(list)}
        empty={
          <Nothing filtered={filtered} onClear={() => set({ q: undefined, type: undefined, archived: undefined })} />
        }
      />
    </Page>
  )
}
