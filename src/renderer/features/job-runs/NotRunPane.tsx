import { IconAlertTriangle, IconClockHour4, IconPlayerSkipForward } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import { useSession } from '../../api/session.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { translateError } from '../../i18n/translate.ts'
import { useHasNoSlots } from './use-has-no-slots.ts'

const known = [
  'upstream',
  'when',
  'not_selected',
  'stopped',
  'reused',
  'empty',
  'concurrency',
  'pool',
  'for_each',
] as const

/** Why a task stands as it does, in a sentence; null where there is nothing to say. */
export function useReason(): (node: Pick<JobRunNode, 'reason' | 'pool'>) => string | null {
  const { t } = useTranslation('jobRuns')
  return ({ reason, pool }) => {
    const one = known.find((each) => each === reason)
    return one ? t(`reason.${one}`, { pool: pool ?? '' }) : reason
  }
}

/** Instead of a log: the task has no run, and why. */
export function NotRunPane({ node }: { node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  const reason = useReason()(node)
  const pool = node.pool ?? ''
  const hasNoSlots = useHasNoSlots(node)
  const mayChange = useSession().can('setPool')
  if (node.status === 'pending') {
    return (
      <EmptyState
        icon={IconClockHour4}
        title={t('pane.waitingTitle')}
        text={t(node.depends_on.length > 0 ? 'pane.waitingText' : 'pane.waitingFirst')}
        compact
      />
    )
  }
  if (hasNoSlots) {
    return (
      <EmptyState
        icon={IconAlertTriangle}
        title={t('pane.noSlots', { pool })}
        text={t(mayChange ? 'pane.addSlots' : 'pane.askForSlots')}
        action={
          mayChange ? <Link to={paths.settings('pools', { pool })}>{t('pane.editPool', { pool })}</Link> : undefined
        }
        compact
      />
    )
  }
  if (node.status === 'queued' || node.status === 'running') {
    return (
      <EmptyState
        icon={IconClockHour4}
        title={t('pane.queuedTitle')}
        text={reason ?? t('pane.queuedText')}
        action={node.reason === 'pool' ? <Link to={paths.settings('pools')}>{t('pane.openPools')}</Link> : undefined}
        compact
      />
    )
  }
  const failed = node.status === 'failed' ? (translateError(node) ?? t('pane.noRunFailed')) : null
  return (
    <EmptyState
      icon={IconPlayerSkipForward}
      title={t('pane.notRunTitle')}
      text={<CodeWords text={failed ?? reason ?? t('pane.noRun')} />}
      compact
    />
  )
}
