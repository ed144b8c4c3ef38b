import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff, IconVectorSpline } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import {
  type Connector,
  type ConnectorTypeInfo,
  archiveConnector,
  getConnector,
  listConnectorTypes,
  restoreConnector,
} from '../../../contract/connectors.ts'
import { listUploads } from '../../../contract/uploads.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ConnectorForm } from './ConnectorForm.tsx'
import { EnvironmentMark } from './EnvironmentMark.tsx'
import { ResourceBrowser } from './ResourceBrowser.tsx'
import { UploadsTable } from './UploadsTable.tsx'
import { formOf } from './connector-draft.ts'
import classes from './connectors.module.css'

function ArchiveButton({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { can } = useSession()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const stale = ['getConnector', 'listConnectors'] as const
  const archive = useAction(archiveConnector, { invalidates: stale })
  const restore = useAction(restoreConnector, { invalidates: stale })
  const input = { params: { id: connector.id } }
  if (!can('archiveConnector')) return null
  if (connector.archived === 1) {
    const done = {
      onSuccess: () => notifications.show({ message: t('restored', { name: connector.name }) }),
      onError: (error: Error) => notifications.show({ color: 'red', message: error.message }),
    }
    return (
      <CommandButton
        id="connector.restore"
        label={t('restore')}
        variant="default"
        icon={IconArchiveOff}
        loading={restore.isPending}
        onClick={() => restore.mutate(input, done)}
      />
    )
  }
  return (
    <>
      <CommandButton
        id="connector.archive"
        label={t('archive')}
        variant="default"
        icon={IconArchive}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        opened={asking}
        title={t('archiveTitle', { name: connector.name })}
        text={t('archiveText')}
        confirmLabel={t('archiveDo')}
        busy={archive.isPending}
        error={archive.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          archive.mutate(input, {
            onSuccess: () => {
              setAsking(false)
              notifications.show({ message: t('archived', { name: connector.name }) })
              void navigate(paths.connectors())
            },
          })
        }
      />
    </>
  )
}

function Configuration({ connector, type }: { connector: Connector; type: ConnectorTypeInfo }) {
  const form = useMemo(() => formOf(type), [type])
  return (
    <div className={classes.scroll}>
      <ConnectorForm form={form} connector={connector} onSaved={() => undefined} />
    </div>
  )
}

function useConnectorTabs(id: number, ofUploads: boolean) {
  const { t } = useTranslation('connectors')
  const { pathname } = useLocation()
  const browsing = pathname.endsWith('/resources')
  const uploads = pathname.endsWith('/uploads')
  const tabs = [
    { label: t('tabs.configuration'), to: paths.connector(id), active: !browsing && !uploads },
    { label: t('tabs.resources'), to: paths.connectorResources(id), active: browsing },
    ...(ofUploads || uploads ? [{ label: t('tabs.uploads'), to: paths.connectorUploads(id), active: uploads }] : []),
  ]
  return { browsing, uploads, tabs }
}

function Loaded({ connector, type }: { connector: Connector; type: ConnectorTypeInfo }) {
  const { t } = useTranslation('connectors')
  // Any of the files says which connector is the one of their folder.
  const newest = useOperation(listUploads, { query: { limit: 1 } }, { enabled: connector.type === 'file' })
  const { browsing, uploads, tabs } = useConnectorTabs(
    connector.id,
    newest.data?.result[0]?.connector_id === connector.id,
  )
  return (
    <Page
      title={connector.name}
      crumbs={[{ label: t('title'), to: paths.connectors() }]}
      badge={
        <>
          <EnvironmentMark environment={connector.environment} />
          {connector.archived === 1 ? <StatusBadge status="archived" size="md" /> : null}
        </>
      }
      subtitle={type.title}
      actions={
        <>
          <CommandButton
            id="connector.lineage"
            label={t('lineage')}
            variant="default"
            icon={IconVectorSpline}
            to={paths.lineage({ connector: connector.id })}
          />
          <ArchiveButton connector={connector} />
        </>
      }
      layout="fill"
      tabs={tabs}
    >
      <div className={classes.frame} data-environment={connector.environment}>
        {uploads ? (
          <UploadsTable />
        ) : browsing ? (
          <ResourceBrowser connector={connector} />
        ) : (
          <Configuration connector={connector} type={type} />
        )}
      </div>
    </Page>
  )
}

export function ConnectorPage() {
  const { t } = useTranslation('connectors')
  const { id } = useParams()
  const recordName = useRecordName('connector', id)
  const connector = useOperation(getConnector, { params: { id: Number(id) } })
  const types = useOperation(listConnectorTypes)
  const type = useInLanguage(types.data, connectorTypeTexts)?.find((each) => each.type === connector.data?.type)
  useOpened({
    kind: 'connector',
    id: Number(id),
    title: connector.data?.name,
    hint: type?.title,
    to: paths.connector(Number(id)),
    gone: connector.error?.status === 404,
  })
  const { tabs } = useConnectorTabs(Number(id), false)
  const error = connector.error ?? types.error
  // What is shown stays, whatever becomes of reading it again.
  if (connector.data && type) return <Loaded key={connector.data.id} connector={connector.data} type={type} />
  const retry = () => {
    void connector.refetch()
    void types.refetch()
  }
  return (
    <Page
      title={recordName}
      crumbs={[{ label: t('title'), to: paths.connectors() }]}
      tabs={connector.error?.status === 404 ? undefined : tabs}
      layout="fill"
    >
      {error ? <ErrorState error={error} onRetry={retry} record={{ kind: 'connector', id: Number(id) }} /> : null}
    </Page>
  )
}
