import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { MenuChoice } from '../../ui/MenuChoice.tsx'
import { CompareMenu, PreviousChoice } from '../../ui/compare/CompareMenu.tsx'

function Choices({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const navigate = useNavigate()
  const before = useOperation(listAllJobRuns, { query: { job_id: run.job_id, to: run.created_at, limit: 2 } })
  const original = run.rerun_of
  return (
    <>
      <PreviousChoice
        title={t('actions.comparePrevious')}
        none={t('actions.noPrevious')}
        previous={before.data && (before.data.result.find((one) => one.id < run.id)?.id ?? null)}
        textOf={(id) => t('page.link', { id })}
        to={(id) => paths.jobRunCompare(id, run.id)}
      />
      {original === null ? null : (
        <MenuChoice
          icon={IconRefresh}
          title={t('actions.compareOriginal', { id: original })}
          text={t('page.link', { id: original })}
          onClick={() => void navigate(paths.jobRunCompare(original, run.id))}
        />
      )}
    </>
  )
}

/** Beside which other job run this one is put. */
export function JobRunCompareMenu({ run }: { run: JobRun }) {
  return (
    <CompareMenu command="job-run.compare">
      <Choices run={run} />
    </CompareMenu>
  )
}
