import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconHistory, IconRefresh, IconShieldCheck, IconX } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditRecord, auditOutcomes, exportAudit, listAudit, verifyAudit } from '../../../contract/audit.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { urlOf } from '../../../contract/operation-url.ts'
import { useAction, useList } from '../../api/queries.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { downloadFrom } from '../../ui/download.ts'
import { compareNames } from '../../ui/format.ts'
import { useAddress } from '../../ui/use-address.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { type ListAddress, useListAddress } from '../../ui/work-list/use-list-address.ts'
import { AuditDetail } from './AuditDetail.tsx'
import { UsersFilter } from './UsersFilter.tsx'
import { VerifyNotice } from './VerifyNotice.tsx'
import { outcomeLook, useAuditColumns } from './audit-columns.tsx'
import { auditFilters, auditNewestFirst, auditQuery, auditSorts } from './audit-filters.ts'
import { entityName, operationName } from './audit-words.ts'
import { useAuditActions } from './use-audit-actions.ts'

const pageRows = 200
const keyOf = (record: AuditRecord) => record.id
const nameOf = (record: AuditRecord) => `#${record.id} ${operationName(record.operation)}`
const invalidates = ['listAudit'] as const
const noUsers: readonly string[] = []
/** In the address: the details are closed until a record is chosen. */
const closed = 'none'

const recorded = Object.values<Operation>(operations)
  .filter((op) => op.audited ?? op.method !== 'GET')
  .map((op) => op.id)

/** Every operation that is recorded, and those of the address: what the server does by itself has names of its own. */
const operationChoices = (chosen: readonly string[]) =>
  [...new Set([...recorded, ...chosen])]
    .map((value) => ({ value, label: operationName(value) }))
    .toSorted((a, b) => compareNames(a.label, b.label))

function useChoices(address: ListAddress) {
  const { t } = useTranslation('audit')
  return useMemo(
    () => [
      {
        id: 'operation',
        label: t('filters.operation'),
        options: operationChoices(address.values('operation')),
      },
      {
        id: 'outcome',
        label: t('filters.outcome'),
        options: auditOutcomes.map((value) => ({
          value,
          label: t(`outcome.${value}`),
          look: <StatusBadge status={outcomeLook[value]} label={t(`outcome.${value}`)} />,
        })),
      },
    ],
    [t, address],
  )
}

/** The record that the list is about; it is chosen from a record, and only taken out here. */
function RecordFilter({ address }: { address: ListAddress }) {
  const { t } = useTranslation('audit')
  const [entity] = address.values('entity')
  const [id] = address.values('entity_id')
  const [, set] = useAddress()
  if (!entity) return null
  const name = id ? `${entityName(entity)} #${id}` : entityName(entity)
  return (
    <Button
      variant="light"
      fw={400}
      rightSection={<IconX size={12} />}
      aria-label={t('filters.dropRecord', { name })}
      onClick={() => set({ entity: null, entity_id: null })}
    >
      {name}
    </Button>
  )
}

/** Who did what, when and from where; the filters stand in the address. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const client = useQueryClient()
  const [search, set] = useAddress()
  const address = useListAddress(auditFilters, auditSorts, auditNewestFirst)
  // "Last hour" is fixed when the filter is chosen, so that paging goes on in one list; which record is shown is no filter.
  const filter = useMemo(
    () => new URLSearchParams([...search].filter(([name]) => name !== 'record')).toString(),
    [search],
  )
  // oxlint-disable-next-line react/purity
  const query = useMemo(() => auditQuery(new URLSearchParams(filter), Date.now()), [filter])
  const list = useList(
    listAudit,
    { query: { ...query, order: address.sort?.order, limit: pageRows } },
    { keepPrevious: true },
  )
  const failed = list.error !== null && list.rows.length === 0
  const columns = useAuditColumns()
  const [chosen, choose] = useAddressChoice('record')
  const verify = useAction(verifyAudit)
  // Records come with every change that anybody makes, and none of them is an event: the page reads anew when it is opened.
  useEffect(() => void client.invalidateQueries({ queryKey: [listAudit.id] }), [client])
  const shown = chosen === closed ? null : (list.rows.find((row) => String(row.id) === chosen) ?? list.rows[0] ?? null)
  const doVerify = () =>
    verify.mutate({}, { onError: (failure) => notifications.show({ color: 'red', message: failure.message }) })
  const doExport = () => downloadFrom(urlOf(exportAudit, {}, query), 'audit.ndjson')
  const choices = useChoices(address)
  const actions = useAuditActions(set)
  const empty = address.filtered ? (
    <NoMatch title={t('noMatch')} address={address} />
  ) : (
    <EmptyState icon={IconHistory} title={t('empty.title')} text={t('empty.text')} />
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        <>
          {/* Where it failed, the failure itself offers it. */}
          {failed ? null : (
            <CommandButton
              id="audit.refresh"
              needsServer
              label={t('refresh')}
              variant="default"
              icon={IconRefresh}
              onClick={() => void client.invalidateQueries({ queryKey: [listAudit.id] })}
              shortcut="r"
            />
          )}
          <CommandButton
            id="audit.export"
            needsServer
            label={address.filtered ? t('exportShown') : t('export')}
            variant="default"
            icon={IconDownload}
            disabled={failed}
            onClick={doExport}
            shortcut="shift+d"
          />
          <CommandButton
            id="audit.verify"
            needsServer
            label={t('verify.action')}
            variant="default"
            icon={IconShieldCheck}
            loading={verify.isPending}
            onClick={doVerify}
          />
        </>
      }
    >
      {verify.data ? <VerifyNotice result={verify.data} onClose={() => verify.reset()} /> : null}
      <SplitPane id="audit" initial={0.7} minSize={264}>
        <WorkList
          id="audit"
          label={t('title')}
          list={list}
          columns={columns}
          rowKey={keyOf}
          nameOf={nameOf}
          activeKey={shown?.id ?? null}
          onActiveChange={(row) => choose(row.id)}
          address={address}
          search={t('filters.search')}
          choices={choices}
          spans="recorded"
          more={
            <>
              <UsersFilter
                chosen={query.user_id?.map(String) ?? noUsers}
                onChange={(ids) => address.choose('user_id', ids)}
              />
              <RecordFilter address={address} />
            </>
          }
          actions={actions}
          invalidates={invalidates}
          total={list.total === undefined ? null : t('count', { count: list.total })}
          empty={empty}
        />
        {shown ? <AuditDetail record={shown} onFilter={set} onClose={() => choose(closed)} /> : null}
      </SplitPane>
    </Page>
  )
}
