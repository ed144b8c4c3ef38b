import { useTranslation } from 'react-i18next'
import { listExecutors } from '../../../contract/executors.ts'
import { useOperation } from '../../api/queries.ts'
import { FilterMenu } from '../../ui/work-list/FilterMenu.tsx'

interface ExecutorFilterProps {
  chosen: readonly string[]
  onChange(ids: string[]): void
}

export function ExecutorFilter({ chosen, onChange }: ExecutorFilterProps) {
  const { t } = useTranslation('lists')
  const { data = [] } = useOperation(listExecutors)
  const options = data.map(({ id, name }) => ({ value: String(id), label: name }))
  return <FilterMenu label={t('filter.executor')} single options={options} chosen={chosen} onChange={onChange} />
}
