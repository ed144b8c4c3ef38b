import { useTranslation } from 'react-i18next'
import classes from './StatusBadge.module.css'
import { type Status, statusLooks } from './status.ts'

export interface StatusBadgeProps {
  status: Status
  /** `sm` is for lists (no tint), `md` for headers, `icon` shows the icon with the word for screen readers alone. */
  size?: 'sm' | 'md' | 'icon'
  /** Another word than the status’s own. */
  label?: string
}

/** A status as icon, word and colour: never colour alone. */
export function StatusBadge({ status, size = 'sm', label }: StatusBadgeProps) {
  const { t } = useTranslation()
  const look = statusLooks[status]
  const Icon = look.icon
  const word = label ?? t(`status.${status}`)
  return (
    <span
      className={classes.badge}
      data-size={size}
      data-tone={look.tone}
      data-status={status}
      title={size === 'icon' ? word : undefined}
    >
      <Icon size={size === 'md' ? 15 : 14} stroke={2} aria-hidden className={look.spins ? classes.spin : undefined} />
      <span className={size === 'icon' ? classes.hidden : classes.word}>{word}</span>
    </span>
  )
}
