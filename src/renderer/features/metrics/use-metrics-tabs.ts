import { useTranslation } from 'react-i18next'
import { listMetrics } from '../../../contract/metrics.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import type { PageTab } from '../../ui/Page.tsx'

/** The two pages of metrics; the number is how many custom ones there are. */
export function useMetricsTabs(active: 'runs' | 'custom'): PageTab[] {
  const { t } = useTranslation('metrics')
  const { data } = useOperation(listMetrics)
  const count = data?.filter(({ custom }) => custom !== null).length
  return [
    { label: t('tabs.runs'), to: paths.metrics(), active: active === 'runs' },
    {
      label: t('tabs.custom'),
      to: paths.customMetrics(),
      active: active === 'custom',
      ...(count ? { count } : {}),
    },
  ]
}
