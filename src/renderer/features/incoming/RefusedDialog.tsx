import { Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type IncomingFile, putAside } from './incoming.store.ts'
import type { Why } from './opening.ts'

interface RefusedDialogProps {
  file: IncomingFile
  why: Why
  detail: string | undefined
}

/** Why a file was not opened, and which ones are. */
export function RefusedDialog({ file, why, detail }: RefusedDialogProps) {
  const { t } = useTranslation('incoming')
  const { t: tUi } = useTranslation()
  const kindsHelp = why === 'no-kind' || why === 'archive' || why === 'folder'
  return (
    <Modal
      opened
      onClose={() => putAside()}
      closeOnClickOutside
      title={<b>{t('refused.title', { name: file.name })}</b>}
      size={460}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      <Text size="sm" role="alert">
        {t(`refused.${why}`)} {detail}
      </Text>
      {kindsHelp ? (
        <Text size="sm" mt={8} c="var(--hg-text-muted)">
          {t('refused.kinds')}
        </Text>
      ) : null}
      <Group justify="flex-end" mt={16}>
        <Button onClick={() => putAside()} data-autofocus>
          {tUi('close')}
        </Button>
      </Group>
    </Modal>
  )
}
