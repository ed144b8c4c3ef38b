import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconFilterOff, IconHistory, IconRefresh, IconShieldCheck } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditRecord, exportAudit, listAudit, verifyAudit } from '../../../contract/audit.ts'
import { urlOf } from '../../../contract/operation-url.ts'
import { useAction, useList } from '../../api/queries.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { downloadFrom } from '../../ui/download.ts'
import { listProps } from '../../ui/list-props.ts'
import { useAddress } from '../../ui/use-address.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'
import { addressOf, anyFilter, queryOf } from '../runs/run-filters.ts'
import { AuditDetail } from './AuditDetail.tsx'
import { AuditFilterBar } from './AuditFilterBar.tsx'
import { VerifyNotice } from './VerifyNotice.tsx'
import { useAuditColumns } from './audit-columns.tsx'
import { filtersOf, noFilters } from './audit-filters.ts'

const pageRows = 200
const keyOf = (record: AuditRecord) => record.id

/** Who did what, when and from where; the filters stand in the address. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const client = useQueryClient()
  const [search, set] = useAddress()
  const filters = useMemo(() => filtersOf(search), [search])
  // "Last hour" is fixed when the filter is chosen, so that paging goes on in one list.
  // oxlint-disable-next-line react/purity
  const query = useMemo(() => queryOf(filters, Date.now()), [filters])
  const list = useList(listAudit, { query: { ...query, limit: pageRows } }, { keepPrevious: true })
  const columns = useAuditColumns()
  const [chosen, choose] = useAddressChoice('record')
  const verify = useAction(verifyAudit)
  // Records come with every change that anybody makes, and none of them is an event: the page reads anew when it is opened.
  useEffect(() => void client.invalidateQueries({ queryKey: [listAudit.id] }), [client])
  const shown = list.rows.find((row) => String(row.id) === chosen) ?? list.rows[0] ?? null
  const doVerify = () =>
    verify.mutate({}, { onError: (failure) => notifications.show({ color: 'red', message: failure.message }) })
  const doExport = () => downloadFrom(urlOf(exportAudit, {}, query), 'audit.ndjson')
  const clear = () => set(noFilters)
  const empty = anyFilter(filters) ? (
    <EmptyState
      icon={IconFilterOff}
      title={t('noMatch.title')}
      text={t('noMatch.text')}
      action={<CommandButton id="list.clear-filters" label={t('filters.clearAll')} variant="default" onClick={clear} />}
    />
  ) : (
    <EmptyState icon={IconHistory} title={t('empty.title')} text={t('empty.text')} />
  )
  const table = (
    <DataTable
      id="audit"
      rows={list.rows}
      columns={columns}
      rowKey={keyOf}
      label={t('title')}
      activeKey={shown?.id ?? null}
      onActiveChange={(row) => choose(row.id)}
      {...listProps(list)}
      empty={empty}
    />
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        <>
          <CommandButton
            id="audit.refresh"
            label={t('refresh')}
            variant="default"
            icon={IconRefresh}
            onClick={() => void client.invalidateQueries({ queryKey: [listAudit.id] })}
            shortcut="r"
          />
          <CommandButton
            id="audit.export"
            label={anyFilter(filters) ? t('exportShown') : t('export')}
            variant="default"
            icon={IconDownload}
            onClick={doExport}
            shortcut="shift+d"
          />
          <CommandButton
            id="audit.verify"
            label={t('verify.action')}
            icon={IconShieldCheck}
            loading={verify.isPending}
            onClick={doVerify}
          />
        </>
      }
      toolbar={
        <AuditFilterBar
          filters={filters}
          total={list.total}
          onChange={(change) => set(addressOf(change))}
          onClear={clear}
        />
      }
    >
      {verify.data ? <VerifyNotice result={verify.data} onClose={() => verify.reset()} /> : null}
      {shown ? (
        <SplitPane id="audit" initial={0.7} minSize={280}>
          {table}
          <AuditDetail record={shown} onFilter={(change) => set(addressOf(change))} />
        </SplitPane>
      ) : (
        table
      )}
    </Page>
  )
}
