import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { cancelJobRun, rerunJobRun } from '../../../contract/job-run-control.ts'
import type { JobRun } from '../../../contract/job-runs.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { compareAction, linkAction } from '../../ui/work-list/common-actions.tsx'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { mayCancel, mayRerun } from './rerun-choice.ts'

/** What can be done with job runs in a list. */
export function useJobRunActions(): ListAction<JobRun>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const navigate = useNavigate()
  return useMemo(() => {
    const rerun: ListAction<JobRun> = {
      id: 'rerun',
      label: t('actions.rerun'),
      icon: IconRefresh,
      shortcut: 'r',
      when: (run) => mayRerun(run.status),
      question: ({ length: count }) => ({ title: t('actions.rerunTitle', { count }), text: t('actions.rerunJobText') }),
      perform: async (run) => {
        const { job_run: started } = await call(rerunJobRun, { params: { id: run.id } })
        return started ? () => call(cancelJobRun, { params: { id: started.id } }) : undefined
      },
      done: (count) => t('actions.started', { count }),
    }
    const cancel: ListAction<JobRun> = {
      id: 'cancel',
      label: t('actions.cancel'),
      icon: IconPlayerStop,
      shortcut: 'x',
      danger: true,
      when: (run) => mayCancel(run.status),
      question: ({ length: count }) => ({ title: t('actions.cancelTitle', { count }), text: t('actions.cancelText') }),
      perform: async (run) => void (await call(cancelJobRun, { params: { id: run.id } })),
      done: (count) => t('actions.canceled', { count }),
    }
    return [
      ...(can('rerunJobRun') ? [rerun] : []),
      ...(can('cancelJobRun') ? [cancel] : []),
      compareAction<JobRun>(t, navigate, paths.jobRunCompare),
      linkAction<JobRun>(t, ({ id }) => paths.jobRun(id)),
    ]
  }, [t, can, navigate])
}
