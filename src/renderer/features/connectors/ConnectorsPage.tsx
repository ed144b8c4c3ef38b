import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useTypeTitle } from './use-type-title.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { connectorTypes } from '../../../contract/connector-types.ts'
import {
  type Connector,
  archiveConnector,
  environments,
  listConnectorTypes,
  listConnectors,
  restoreConnector,
  testConnectorById,
} from '../../../contract/connectors.ts'
import { call } from '../../api/client.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Cut } from '../../ui/Cut.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { StatusSince } from '../../ui/StatusSince.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { archiveActions, linkAction } from '../../ui/work-list/common-actions.tsx'
import { byName, known } from '../../ui/work-list/list-address.rules.ts'
import { type ListAddress, useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { type RecentColumn, useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { EnvironmentMark } from './EnvironmentMark.tsx'
import { describeAddress } from './address.ts'
import classes from './connectors.module.css'
import { useStageName } from './stage-name.ts'
import { ConnectorIcon } from './type-looks.tsx'

function LastTest({ connector }: { connector: Connector }) {
  const stageName = useStageName()
  const { t } = useTranslation('connectors')
  if (!connector.last_test) return <StatusBadge status="not_tested" />
  const failed = connector.last_test.checks.find((check) => !check.ok)
  return (
    <StatusSince
      status={
        <StatusBadge
          status={connector.last_test.ok ? 'success' : 'failed'}
          label={failed ? t('test.failedAt', { stage: stageName(connector.type, failed.name) }) : undefined}
        />
      }
    >
      <RelativeTime at={connector.last_test_at} />
    </StatusSince>
  )
}

function useColumns(typeTitle: (type: string) => string, recent: readonly RecentColumn[]): TableColumn<Connector>[] {
  const { t } = useTranslation('connectors')
  return useMemo(
    (): TableColumn<Connector>[] => [
      {
        id: 'name',
        header: t('columns.name'),
        sortable: true,
        minWidth: 140,
        cell: (row) => (
          <span className={classes.named}>
            <ConnectorIcon type={row.type} />
            <Cut text={row.name} />
          </span>
        ),
      },
      { id: 'type', header: t('columns.type'), width: 136, yields: 3, cell: (row) => typeTitle(row.type) },
      {
        id: 'address',
        header: t('columns.address'),
        mono: true,
        minWidth: 200,
        grow: 4,
        names: true,
        cell: (row) => describeAddress(row),
      },
      {
        id: 'environment',
        header: t('columns.environment'),
        width: 104,
        cell: (row) => <EnvironmentMark environment={row.environment} />,
      },
      ...recent,
      {
        id: 'last_test',
        header: t('columns.lastTest'),
        uncut: true,
        minWidth: 128,
        cell: (row) => <LastTest connector={row} />,
      },
      {
        id: 'created_at',
        yields: 4,
        header: t('columns.created'),
        width: 100,
        sortable: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ],
    [t, typeTitle, recent],
  )
}

const sortable = ['name', 'created_at'] as const
/** Whether a connector can be reached is said by its last test. */
const notShown = ['last'] as const
const filters = ['type', 'environment']
const invalidates = ['listConnectors', 'getConnector'] as const
const keyOf = (row: Connector) => row.id
const hrefOf = (row: { id: number }) => paths.connector(row.id)
const nameOf = (row: Connector) => row.name
const isArchived = (row: Connector) => row.archived === 1

function useActions(): ListAction<Connector>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  return useMemo(() => {
    const test: ListAction<Connector> = {
      id: 'test',
      label: t('actions.test'),
      icon: IconPlugConnected,
      shortcut: 't',
      when: (row) => !isArchived(row),
      perform: async (row) => {
        const { ok, checks } = await call(testConnectorById, { params: { id: row.id } })
        if (!ok) throw new Error(checks.find((check) => !check.ok)?.message ?? t('actions.testFailed'))
      },
      done: (count) => t('actions.tested', { count }),
    }
    const archiving = archiveActions<Connector>(t, {
      isArchived,
      archive: (id) => call(archiveConnector, { params: { id } }),
      restore: (id) => call(restoreConnector, { params: { id } }),
    })
    return [
      ...(can('testConnectorById') ? [test] : []),
      ...(can('archiveConnector') ? archiving : []),
      linkAction<Connector>(t, hrefOf),
    ]
  }, [t, can])
}

function Nothing({ address }: { address: ListAddress }) {
  const { t } = useTranslation('connectors')
  const { can } = useSession()
  if (address.filtered || address.archived) return <NoMatch title={t('filteredOut')} address={address} />
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

/** All connectors, searched, filtered and sorted by the address. */
export function ConnectorsPage() {
  const { t } = useTranslation('connectors')
  const { can } = useSession()
  const address = useListAddress(filters, sortable, byName)
  const { q, archived, sort, values } = address
  const field = sortable.find((one) => one === sort?.id)
  const query = useMemo(
    () => ({
      q: q || undefined,
      type: known(values('type'), connectorTypes)?.[0],
      environment: known(values('environment'), environments)?.[0],
      archived: archived || undefined,
      sort: field,
      order: sort?.order,
    }),
    [q, archived, field, sort, values],
  )
  const types = useOperation(listConnectorTypes)
  const list = useList(listConnectors, { query }, { keepPrevious: true })
  const listed = useInLanguage(types.data, connectorTypeTexts)
  const recent = useRecentColumns('connector', list.rows, notShown)
  const columns = useColumns(useTypeTitle(), recent)
  const actions = useActions()
  const choices = useMemo(
    () => [
      {
        id: 'type',
        label: t('columns.type'),
        single: true as const,
        options: (listed ?? []).map(({ type, title }) => ({
          value: type,
          label: title,
          look: (
            <>
              <ConnectorIcon type={type} /> {title}
            </>
          ),
        })),
      },
      {
        id: 'environment',
        label: t('columns.environment'),
        single: true as const,
        options: environments.map((value) => ({ value, label: t(`environment.${value}`) })),
      },
    ],
    [t, listed],
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        can('createConnector') ? (
          <CommandButton id="connectors.new" label={t('new')} to={paths.connectorNew()} icon={IconPlus} shortcut="c" />
        ) : null
      }
    >
      <WorkList
        id="connectors"
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        nameOf={nameOf}
        isMuted={isArchived}
        address={address}
        search={t('search')}
        archives
        choices={choices}
        actions={actions}
        invalidates={invalidates}
        total={list.total === undefined ? null : t('count', { count: list.total })}
        empty={<Nothing address={address} />}
      />
    </Page>
  )
}
