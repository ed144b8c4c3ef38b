import { ActionIcon } from '@mantine/core'
import { IconFolderOpen } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Health, getHealth } from '../../../contract/health.ts'
import { type ServerInfo, getServerInfo } from '../../../contract/server.ts'
import { useOperation } from '../../api/queries.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { paths } from '../../paths.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { bytesText } from '../../ui/time.ts'
import { SettingsPage } from './SettingsPage.tsx'
import classes from './settings.module.css'

function Checks({ health }: { health: Health }) {
  const { t } = useTranslation('settings')
  const names = ['database', 'scheduler', 'executors', 'disk'] as const
  return (
    <span className={classes.checks}>
      {names.map((name) => {
        const check = health.checks[name]
        const label = t(`server.check.${name}`)
        return (
          <StatusBadge
            key={name}
            status={check.status === 'ok' ? 'ok' : 'completed'}
            label={check.status === 'ok' ? label : `${label}: ${check.message ?? t('server.degraded')}`}
          />
        )
      })}
    </span>
  )
}

function Address({ url }: { url: string }) {
  return (
    <>
      <code>{url}</code>
      <CopyIcon value={url} />
    </>
  )
}

function DataFolder({ path }: { path: string }) {
  const { t } = useTranslation('settings')
  const bridge = desktopBridge()
  return (
    <>
      <code>{path}</code>
      <CopyIcon value={path} />
      {bridge ? (
        <Hint label={t('server.showFolder')}>
          <ActionIcon size={22} aria-label={t('server.showFolder')} onClick={() => void bridge.showItemInFolder(path)}>
            <IconFolderOpen size={14} />
          </ActionIcon>
        </Hint>
      ) : null}
    </>
  )
}

function useFacts(info: ServerInfo, health: Health | undefined): [string, ReactNode][] {
  const { t } = useTranslation('settings')
  const bridge = desktopBridge()
  const { pid, platform, node } = info
  return [
    ...(health ? ([[t('server.health'), <Checks key="health" health={health} />]] as [string, ReactNode][]) : []),
    [t('server.version'), info.version],
    [t('server.interface'), info.interface_version],
    [t('server.address'), <Address key="address" url={globalThis.location.origin} />],
    [t('server.dataDir'), <DataFolder key="folder" path={info.data_dir} />],
    [
      t('server.database'),
      t('server.databaseValue', { bytes: bytesText(info.database.bytes), schema: info.database.schema_version }),
    ],
    [t('server.started'), <RelativeTime key="started" at={info.started_at} />],
    [t('server.memory'), bytesText(info.memory_bytes)],
    [t('server.process'), t('server.processValue', { pid, platform, node })],
    ...(bridge
      ? ([[t('server.desktop'), t('server.desktopValue', { ...bridge.versions })]] as [string, ReactNode][])
      : []),
    [
      t('server.totp'),
      <Link key="totp" to={paths.settings('configuration', { find: 'auth.totp_required' })}>
        {info.totp_required ? t('server.totpOn') : t('server.totpOff')}
      </Link>,
    ],
    [
      t('server.ai'),
      <Link key="ai" to={paths.settings('configuration', { find: 'ai.' })}>
        {info.ai_configured ? t('server.aiOn') : t('server.aiOff')}
      </Link>,
    ],
    [
      t('server.links'),
      <span key="links">
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {t('server.reference')}
        </a>{' '}
        ·{' '}
        <a href="/api/openapi.json" target="_blank" rel="noreferrer">
          {t('server.openapi')}
        </a>
      </span>,
    ],
  ]
}

function Facts({ info, health }: { info: ServerInfo; health: Health | undefined }) {
  const facts = useFacts(info, health)
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

export function ServerPage() {
  const info = useOperation(getServerInfo, {}, { staleTime: 0 })
  const health = useOperation(getHealth, {}, { staleTime: 0 })
  return (
    <SettingsPage>
      {info.data ? <Facts info={info.data} health={health.data} /> : null}
      {info.error && !info.data ? (
        <ErrorState what="server" error={info.error} onRetry={() => void info.refetch()} />
      ) : null}
    </SettingsPage>
  )
}
