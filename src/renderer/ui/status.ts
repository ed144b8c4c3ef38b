import {
  IconAlertTriangle,
  IconArchive,
  IconArrowBarToDown,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClockHour4,
  IconLoader2,
  IconPlayerPause,
  IconPlugConnected,
  IconPlugConnectedX,
  IconPlayerSkipForward,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ui } from '../i18n/en/ui.ts'
import type { StatusTone } from './tokens.ts'

export type Status = keyof (typeof ui)['status']

export interface StatusLook {
  readonly tone: StatusTone
  readonly icon: TablerIcon
  readonly spins?: boolean
}

/** Every status of the product, with its colour and icon: the badge, the lists and the charts read this. */
export const statusLooks: Readonly<Record<Status, StatusLook>> = {
  waiting: { tone: 'queued', icon: IconCircleDashed },
  pending: { tone: 'queued', icon: IconClockHour4 },
  running: { tone: 'running', icon: IconLoader2, spins: true },
  success: { tone: 'success', icon: IconCircleCheck },
  completed: { tone: 'warning', icon: IconAlertTriangle },
  failed: { tone: 'failed', icon: IconCircleX },
  cancelled: { tone: 'striped', icon: IconBan },
  paused: { tone: 'paused', icon: IconPlayerPause },
  approval: { tone: 'paused', icon: IconPlayerPause },
  skipped: { tone: 'striped', icon: IconPlayerSkipForward },
  online: { tone: 'success', icon: IconPlugConnected },
  draining: { tone: 'queued', icon: IconArrowBarToDown },
  lost: { tone: 'failed', icon: IconPlugConnectedX },
  offline: { tone: 'queued', icon: IconPlugConnectedX },
  ok: { tone: 'success', icon: IconCircleCheck },
  not_run: { tone: 'queued', icon: IconCircleDashed },
  not_tested: { tone: 'queued', icon: IconCircleDashed },
  archived: { tone: 'queued', icon: IconArchive },
}

/** CSS colours of a status: `mark` for icons, `text` for words, `tint` behind them, `fill` as the background of a bar (colour or pattern). */
export const statusColor = (status: Status, part: 'mark' | 'text' | 'tint' | 'fill' = 'mark') =>
  `var(--hg-status-${statusLooks[status].tone}-${part})`

/** Whether a run of the status has neither ended nor been stopped. */
export const isUnfinished = (status: Status) =>
  status === 'pending' || status === 'running' || status === 'paused' || status === 'approval'
