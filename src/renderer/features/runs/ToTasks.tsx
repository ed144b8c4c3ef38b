import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'

/** The way to a first run of a task. */
export function ToTasks() {
  const { t } = useTranslation('runs')
  return <CommandButton id="runs.to-tasks" label={t('list.emptyAction')} to={paths.tasks()} />
}
