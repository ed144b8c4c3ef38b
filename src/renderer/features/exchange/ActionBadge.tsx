import {
  IconCirclePlus,
  IconCircleX,
  IconEqual,
  IconPencil,
  IconPlayerSkipForward,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { StatusTone } from '../../ui/tokens.ts'
import classes from './exchange.module.css'
import type { ImportAction } from './import-state.ts'

const looks: Readonly<Record<ImportAction, { icon: TablerIcon; tone: StatusTone }>> = {
  create: { icon: IconCirclePlus, tone: 'success' },
  update: { icon: IconPencil, tone: 'running' },
  unchanged: { icon: IconEqual, tone: 'queued' },
  skip: { icon: IconPlayerSkipForward, tone: 'striped' },
  error: { icon: IconCircleX, tone: 'failed' },
}

/** What an import does with a record, as icon, word and colour. */
export function ActionBadge({ action }: { action: ImportAction }) {
  const { t } = useTranslation('exchange')
  const { icon: Icon, tone } = looks[action]
  return (
    <span className={classes.action} style={{ color: `var(--hg-status-${tone}-text)` }}>
      <Icon size={14} stroke={2} aria-hidden />
      {t(`action.${action}`)}
    </span>
  )
}
