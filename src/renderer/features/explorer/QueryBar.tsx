import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import type { Command } from '../../commands/commands.ts'
import { Hint } from '../../ui/Hint.tsx'
import { EnvironmentMark } from '../connectors/EnvironmentMark.tsx'
import classes from './explorer.module.css'

/** A command of the tab with its button. */
export interface QueryAction extends Command {
  icon: NonNullable<Command['icon']>
  /** Without it there is no button. */
  offered: boolean
  when: boolean
  /** Why it can’t be done now. */
  why?: string | undefined
}

interface ActionButtonProps {
  action: QueryAction
  main?: boolean
}

export const ActionButton = ({ action: { title, icon: Icon, when, why, run }, main }: ActionButtonProps) => (
  <Hint label={why}>
    <Button
      size="compact-sm"
      {...(!main && { variant: 'default', className: classes.iconic ?? '', title })}
      leftSection={<Icon size={14} />}
      disabled={!when}
      onClick={run}
    >
      {title}
    </Button>
  </Hint>
)

interface QueryBarProps {
  connector: Connector
  readOnly: boolean
  /** Starts it; null: a form below has its button. */
  main: QueryAction | null
  /** Ends it; there while it runs. */
  cancel: QueryAction
  actions: readonly QueryAction[]
  children: ReactNode
}

/** What can be done with a query, above it. */
export function QueryBar({ connector, readOnly, main, cancel, actions, children }: QueryBarProps) {
  const { t } = useTranslation('explorer')
  return (
    <div className={classes.queryBar}>
      {cancel.when ? (
        <Button size="compact-sm" variant="default" leftSection={<cancel.icon size={14} />} onClick={cancel.run}>
          {cancel.title}
        </Button>
      ) : main ? (
        <ActionButton action={main} main />
      ) : null}
      <span className={classes.connectorName} title={connector.name}>
        {connector.name}
      </span>
      <EnvironmentMark environment={connector.environment} />
      {readOnly ? <span className={classes.readOnly}>{t('readOnly')}</span> : null}
      <span className={classes.space} />
      {children}
      {actions.map((action) => (action.offered ? <ActionButton key={action.id} action={action} /> : null))}
    </div>
  )
}
