import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { useFirstNeed } from './use-first-need.ts'

/** The next step to a first job run: a template, a job from it, or one of the jobs. */
export function ToFirstJobRun({ size }: { size?: 'compact-xs' }) {
  const { t } = useTranslation('jobRuns')
  const { t: tJobs } = useTranslation('jobs')
  const need = useFirstNeed()
  const shared = { id: 'job-runs.first-step', ...(size && { size }) }
  if (need === null) return <CommandButton {...shared} label={t('list.emptyAction')} to={paths.jobs()} />
  return (
    <CommandButton
      {...shared}
      label={tJobs(need === 'template' ? 'list.emptyAction' : 'new.action')}
      icon={IconPlus}
      to={need === 'template' ? paths.jobTemplateNew() : paths.jobs({ new: 'yes' })}
    />
  )
}
