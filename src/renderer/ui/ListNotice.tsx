import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ListNotice.module.css'

export interface ListNoticeProps {
  icon: TablerIcon
  title: string
  text: string
  action?: ReactNode
}

/** What is to be known of a list or a calendar that stays in sight below it. */
export function ListNotice({ icon: Icon, title, text, action }: ListNoticeProps) {
  return (
    <div className={classes.notice} role="status">
      <Icon size={16} stroke={1.5} aria-hidden />
      <span>
        <b>{title}.</b> {text}
      </span>
      {action}
    </div>
  )
}
