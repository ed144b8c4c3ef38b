import { IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../CommandButton.tsx'
import { EmptyState } from '../EmptyState.tsx'

interface NoMatchProps {
  title: string
  text?: string
  onClear(): void
}

/** What a list shows that is narrowed to nothing. */
export function NoMatch({ title, text, onClear }: NoMatchProps) {
  const { t } = useTranslation('lists')
  const clear = (
    <CommandButton
      id="list.clear-filters"
      label={t('filter.clearAll')}
      variant="default"
      onClick={onClear}
      shortcut="shift+f"
    />
  )
  return <EmptyState icon={IconFilterOff} title={title} text={text} action={clear} />
}
