import { Button } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../commands/commands.ts'
import { Hint } from '../Hint.tsx'
import type { DocumentKind } from './document.types.ts'

interface SaveButtonProps {
  kind: DocumentKind['name']
  dirty: boolean
  onSave(): void
}

/** Its keys stay the document's own while nothing is to be saved: they must not fall through to the browser. */
export function SaveButton({ kind, dirty, onSave }: SaveButtonProps) {
  const { t } = useTranslation('documents')
  const id = `${kind}.save`
  const title = t('page.save')
  useCommands([{ id, title, shortcut: 'mod+s', icon: IconDeviceFloppy, run: onSave }])
  return (
    <Hint command={id}>
      <Button variant="default" leftSection={<IconDeviceFloppy size={14} />} disabled={!dirty} onClick={onSave}>
        {title}
      </Button>
    </Hint>
  )
}
