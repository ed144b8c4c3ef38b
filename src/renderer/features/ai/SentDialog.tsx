import { Button, Group, Modal, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { previewGenerateTask } from '../../../contract/ai.ts'
import type { ResultOf } from '../../../contract/operation.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { bytesText } from '../../ui/time.ts'
import classes from './ai.module.css'

interface SentDialogProps {
  sent: ResultOf<typeof previewGenerateTask> | null
  onSend: (digest: string) => void
  onClose: () => void
}

/** The bytes of a request before they are sent. */
export function SentDialog({ sent, onSend, onClose }: SentDialogProps) {
  const { t } = useTranslation('ai')
  const { t: tUi } = useTranslation()
  const size = bytesText(new Blob([sent?.body ?? '']).size)
  return (
    <Modal
      opened={sent !== null}
      onClose={onClose}
      size={760}
      title={<b>{t('sent.title')}</b>}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      {sent ? (
        <Stack gap={12}>
          <div>
            <code>{sent.url}</code> · {size}
            {sent.held_back > 0 ? ` · ${t('sent.heldBack', { count: sent.held_back })}` : null}
          </div>
          <ScrollRegion label={t('sent.body')} className={classes.sent}>
            <pre>{sent.body}</pre>
          </ScrollRegion>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tUi('form.cancel')}
            </Button>
            <Button onClick={() => onSend(sent.digest)}>{t('sent.send')}</Button>
          </Group>
        </Stack>
      ) : null}
    </Modal>
  )
}
