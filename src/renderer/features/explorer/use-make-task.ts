import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Connector } from '../../../contract/connectors.ts'
import { paths } from '../../paths.ts'
import { browserStore } from '../../ui/document/draft.ts'
import { handedTexts } from '../../ui/document/handed-text.ts'
import { sourceSlot } from '../incoming/data-draft.rules.ts'
import { rememberInputs } from '../tasks/run-inputs.ts'
import { handedConnectors } from '../tasks/use-run-inputs.ts'
import type { ParameterValues } from './statements.rules.ts'
import { taskText } from './task-draft.rules.ts'

/** Opens the editor of a new task with a query as its source. The draft is saved there or nowhere. */
export function useMakeTask({ id, type }: Connector) {
  const { t } = useTranslation('explorer')
  const navigate = useNavigate()
  return (title: string, query: string, values: ParameterValues) => {
    const text = taskText(type, title, query, values)
    if (text === null) {
      const system = type === 'mongodb' || type === 'odata' || type === 'http' ? type : 'files'
      notifications.show({ color: 'yellow', title: t('noTask.title'), message: t(`noTask.${system}`) })
      return
    }
    const mapping = { [sourceSlot]: id }
    rememberInputs(browserStore(), 'new', { connector_mapping: mapping, arguments: {} })
    handedConnectors.give('new', mapping)
    handedTexts.give('task.new', text)
    void navigate(paths.taskNew({ sample: 'draft' }))
  }
}
