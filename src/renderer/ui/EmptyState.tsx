import type { TablerIcon } from '@tabler/icons-react'
import { isValidElement, type ReactNode } from 'react'
import classes from './EmptyState.module.css'

export interface EmptyStateProps {
  icon: TablerIcon
  title: string
  /** One sentence: what belongs here and how it comes here. */
  text?: ReactNode
  /** One main action. */
  action?: ReactNode
  /** Smaller, for a pane or a widget. */
  compact?: boolean
  /** Said as soon as it is there: it stands for what could not be shown. */
  role?: 'alert'
}

/** Another one than a button’s own look is a lesser one. */
const isMain = (action: ReactNode) =>
  !isValidElement<{ variant?: string }>(action) || action.props.variant === undefined

/** The page is told, rather than asked by a selector with each row of a list that comes. */
function tellPage(action: HTMLElement | null) {
  const page = action?.closest('main')
  page?.toggleAttribute('data-first-step', true)
  return () => page?.removeAttribute('data-first-step')
}

export function EmptyState({ icon: Icon, title, text, action, compact, role }: EmptyStateProps) {
  return (
    <div className={classes.empty} data-state data-compact={compact || undefined} role={role}>
      <Icon size={compact ? 20 : 28} stroke={1.5} aria-hidden className={classes.icon} />
      <div className={classes.title}>{title}</div>
      {text ? <div className={classes.text}>{text}</div> : null}
      {action ? (
        <div className={classes.action} ref={!compact && isMain(action) ? tellPage : undefined}>
          {action}
        </div>
      ) : null}
    </div>
  )
}
