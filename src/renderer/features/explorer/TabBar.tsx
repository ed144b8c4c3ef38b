import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCode, IconPlus, IconTableSpark, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ConnectorIcon } from '../connectors/type-looks.tsx'
import classes from './explorer.module.css'
import type { ExplorerTabs } from './tabs.ts'
import type { useConnectors } from './use-connectors.ts'

/** The open queries. */
export function TabBar({
  tabs,
  connectors,
  writable,
  awaited,
  onNew,
}: {
  tabs: ExplorerTabs
  connectors: readonly Connector[]
  /** What the tab will be called that can’t be opened yet; null: there is none. */
  awaited: string | null
  /** Those that queries may be written for. */
  writable: readonly Connector[]
  onNew: (connector: Connector) => void
}) {
  const { t } = useTranslation('explorer')
  const at = tabs.tabs.findIndex(({ id }) => id === tabs.active)
  const active = tabs.tabs[at]
  const activeConnector = writable.find(({ id }) => id === active?.connectorId)
  const step = (by: number) => {
    const next = tabs.tabs[(at + by + tabs.tabs.length) % tabs.tabs.length]
    if (next) tabs.show(next.id)
  }
  useCommands([
    {
      id: 'explorer.new',
      title: t('tabs.newLike'),
      icon: IconPlus,
      shortcut: 'c',
      when: activeConnector !== undefined,
      run: () => activeConnector && onNew(activeConnector),
    },
    {
      id: 'explorer.close',
      title: t('tabs.closeCurrent'),
      icon: IconX,
      shortcut: 'alt+w',
      when: active !== undefined,
      run: () => active && tabs.close(active.id),
    },
    { id: 'explorer.next', title: t('tabs.next'), shortcut: ']', when: tabs.tabs.length > 1, run: () => step(1) },
    {
      id: 'explorer.previous',
      title: t('tabs.previous'),
      shortcut: '[',
      when: tabs.tabs.length > 1,
      run: () => step(-1),
    },
  ])
  if (tabs.tabs.length === 0 && awaited === null) return null
  return (
    <div className={classes.tabs} role="toolbar" aria-label={t('tabs.label')}>
      {tabs.tabs.map((tab) => {
        const connector = connectors.find(({ id }) => id === tab.connectorId)
        return (
          <div
            key={tab.id}
            className={classes.tab}
            data-active={tab.id === tabs.active || undefined}
            data-environment={connector?.environment}
          >
            <button
              type="button"
              className={classes.tabName}
              aria-pressed={tab.id === tabs.active}
              title={connector ? `${tab.title} · ${connector.name}` : tab.title}
              onClick={() => tabs.show(tab.id)}
              onAuxClick={(event) => event.button === 1 && tabs.close(tab.id)}
            >
              {connector ? <ConnectorIcon type={connector.type} size={13} /> : <IconCode size={13} aria-hidden />}
              <span>{tab.title}</span>
            </button>
            <ActionIcon size={18} aria-label={t('tabs.close', { name: tab.title })} onClick={() => tabs.close(tab.id)}>
              <IconX size={12} />
            </ActionIcon>
          </div>
        )
      })}
      {awaited === null ? null : (
        <div className={classes.tab} data-active={active === undefined || undefined}>
          <span className={classes.tabName}>
            <IconCode size={13} aria-hidden />
            <span>{awaited}</span>
          </span>
        </div>
      )}
      <NewQueryMenu writable={writable} onNew={onNew}>
        <ActionIcon title={t('tabs.new')} aria-label={t('tabs.new')} disabled={writable.length === 0}>
          <IconPlus size={14} />
        </ActionIcon>
      </NewQueryMenu>
    </div>
  )
}

/** Asks for the connector of a new query. */
function NewQueryMenu({
  writable,
  onNew,
  children,
}: {
  writable: readonly Connector[]
  onNew: (connector: Connector) => void
  children: ReactNode
}) {
  return (
    <Menu position="bottom-start" disabled={writable.length === 0}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {writable.map((connector) => (
          <Menu.Item
            key={connector.id}
            leftSection={<ConnectorIcon type={connector.type} />}
            onClick={() => onNew(connector)}
          >
            {connector.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What there is to do while no query is open. */
export function NoTabs({
  list,
  writable,
  onNew,
}: {
  list: ReturnType<typeof useConnectors>
  writable: readonly Connector[]
  onNew: (connector: Connector) => void
}) {
  const { t } = useTranslation('explorer')
  const { can } = useSession()
  const none = list.connectors.length === 0
  if (none && list.error) return <ErrorState what="connectors" error={list.error} onRetry={list.retry} />
  if (none && list.isLoading) return null
  const newConnector = (
    <Button component={Link} to={paths.connectorNew()} leftSection={<IconPlus size={14} aria-hidden />}>
      {t('empty.newConnector')}
    </Button>
  )
  const newQuery = (
    <NewQueryMenu writable={writable} onNew={onNew}>
      <Button leftSection={<IconPlus size={14} aria-hidden />}>{t('tabs.new')}</Button>
    </NewQueryMenu>
  )
  return (
    <EmptyState
      icon={IconTableSpark}
      title={t('empty.title')}
      text={none ? t('empty.noConnectors') : writable.length > 0 ? t('empty.text') : t('empty.readOnly')}
      action={none ? can('createConnector') && newConnector : writable.length > 0 ? newQuery : null}
    />
  )
}
