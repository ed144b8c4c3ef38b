import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { RecordsFilter } from '../../ui/work-list/RecordsFilter.tsx'
import type { ListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ChoiceFilter } from '../../ui/work-list/work-list.types.ts'

/** What both lists of triggers are filtered by. */

export function enabledOf([value]: readonly string[]): boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : undefined
}

export function useEnabledFilter(): ChoiceFilter {
  const { t } = useTranslation('triggers')
  return useMemo(
    () => ({
      id: 'enabled',
      label: t('state'),
      single: true,
      options: [
        { value: 'true', label: t('states.enabled') },
        { value: 'false', label: t('states.disabled') },
      ],
    }),
    [t],
  )
}

export function JobsFilter({ address }: { address: ListAddress }) {
  const { t } = useTranslation('lists')
  return (
    <RecordsFilter
      get={getJob}
      list={listJobs}
      label={t('filter.job')}
      single
      chosen={address.values('job_id')}
      onChange={(ids) => address.choose('job_id', ids)}
    />
  )
}
