import { Modal } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getAiUsage } from '../../../contract/ai-usage.ts'
import { useOperation } from '../../api/queries.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'

interface AiDialogProps {
  id: ComponentProps<typeof CommandButton>['id']
  /** Whether the user may ask at all. */
  possible: boolean
  label: string
  title: string
  /** `where`: the model that is asked, and its host. */
  children: (where: string, close: () => void) => ReactNode
}

/** A button that opens a dialog in which a model is asked. Absent where AI is not configured. */
export function AiDialog({ id, possible, label, title, children }: AiDialogProps) {
  const { t } = useTranslation('ai')
  const { t: tUi } = useTranslation()
  const [opened, setOpened] = useState(false)
  const { data: usage } = useOperation(getAiUsage, {}, { enabled: possible })
  if (!possible || !usage?.configured) return null
  const close = () => setOpened(false)
  return (
    <>
      <CommandButton
        id={id}
        label={label}
        icon={IconSparkles}
        variant="default"
        size="compact-sm"
        onClick={() => setOpened(true)}
      />
      <Modal
        opened={opened}
        onClose={close}
        size={720}
        title={<b>{title}</b>}
        closeButtonProps={{ 'aria-label': tUi('close') }}
      >
        {children(t('panel.where', { model: usage.model ?? '', host: usage.host ?? '' }), close)}
      </Modal>
    </>
  )
}
