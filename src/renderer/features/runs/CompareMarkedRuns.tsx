import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { CompareMarked } from '../../ui/compare/use-marked.tsx'

/** Leads to the comparison of the two runs that are marked in a list. */
export function CompareMarkedRuns({ selected }: { selected: ReadonlySet<string> }) {
  const { t } = useTranslation('runs')
  return <CompareMarked selected={selected} hint={t('compare.hint')} command="runs.compare" to={paths.runCompare} />
}
