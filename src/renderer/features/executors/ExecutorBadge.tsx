import { useTranslation } from 'react-i18next'
import type { Executor } from '../../../contract/executors.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { isSilent } from './executors.rules.ts'

/** How an executor stands: one whose connection broke is not answering, although its lease has not ended. */
export function ExecutorBadge({ executor, size }: { executor: Executor; size?: 'icon' }) {
  const { t } = useTranslation('executors')
  const silent = isSilent(executor)
  return (
    <StatusBadge
      status={silent ? 'lost' : executor.status}
      {...(silent ? { label: t('notAnswering') } : {})}
      {...(size ? { size } : {})}
    />
  )
}
