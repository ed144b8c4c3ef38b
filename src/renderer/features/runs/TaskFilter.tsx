import { useTranslation } from 'react-i18next'
import { getTask, listTasks } from '../../../contract/tasks.ts'
import { RecordFilter } from '../../ui/RecordFilter.tsx'

/** Chooses a task by name. */
export function TaskFilter({ value, onChange }: { value: number | undefined; onChange(id: number | null): void }) {
  const { t } = useTranslation('runs')
  return (
    <RecordFilter
      get={getTask}
      list={listTasks}
      label={t('filters.task')}
      placeholder={t('filters.anyTask')}
      nothingFound={t('filters.noTask')}
      value={value}
      onChange={onChange}
      width={200}
    />
  )
}
