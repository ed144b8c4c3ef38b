import { useTranslation } from 'react-i18next'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { anyOfText } from '../../ui/format.ts'
import { useTypeTitle } from '../connectors/use-type-title.ts'

/** What a slot takes, in words: `SQLite, PostgreSQL or DuckDB`, and what is done with it. */
export function useSlotWords() {
  const { t } = useTranslation('tasks')
  const titleOf = useTypeTitle()
  return ({ types, access }: Pick<ConnectorSlot, 'types' | 'access'>) => {
    // One type may stand for two systems.
    const words = anyOfText(types.flatMap((type) => titleOf(type).split(t('slots.or'))))
    return { types: words, text: `${words} ·\u00a0${t(`slots.${access}`)}` }
  }
}
