import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Run, cancelRun, retryRun } from '../../../contract/runs.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { compareAction, linkAction } from '../../ui/work-list/common-actions.tsx'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { isOver } from './run-facts.ts'

/** What can be done with runs in a list. */
export function useRunActions(): ListAction<Run>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const navigate = useNavigate()
  return useMemo(() => {
    const rerun: ListAction<Run> = {
      id: 'rerun',
      label: t('actions.rerun'),
      icon: IconRefresh,
      shortcut: 'r',
      // Those of a job run are run again by it.
      when: (run) => isOver(run.status) && run.job_run_id === null,
      question: ({ length: count }) =>
        count > 1 ? { title: t('actions.rerunTitle', { count }), text: t('actions.rerunText') } : null,
      perform: async (run) => {
        const started = await call(retryRun, { params: { id: run.id } })
        return () => call(cancelRun, { params: { id: started.id } })
      },
      done: (count) => t('actions.started', { count }),
    }
    const cancel: ListAction<Run> = {
      id: 'cancel',
      label: t('actions.cancel'),
      icon: IconPlayerStop,
      shortcut: 'x',
      danger: true,
      when: (run) => !isOver(run.status),
      question: ({ length: count }) => ({ title: t('actions.cancelTitle', { count }), text: t('actions.cancelText') }),
      perform: async (run) => void (await call(cancelRun, { params: { id: run.id } })),
      done: (count) => t('actions.canceled', { count }),
    }
    return [
      ...(can('retryRun') ? [rerun] : []),
      ...(can('cancelRun') ? [cancel] : []),
      compareAction<Run>(t, navigate, paths.runCompare),
      linkAction<Run>(t, ({ id }) => paths.run(id)),
    ]
  }, [t, can, navigate])
}
