import { Group, Loader, Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ServerWait } from './use-server-wait.ts'

/** Over the window while the server starts anew: nothing can be done meanwhile. */
export function ServerWaitDialog({ wait }: { wait: ServerWait }) {
  const { t } = useTranslation('configuration')
  return (
    <Modal
      opened={wait !== 'idle'}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={<b>{t('restart.waitTitle')}</b>}
      size={420}
    >
      <Group gap={12} wrap="nowrap" align="flex-start" role="status">
        <Loader size={18} aria-hidden />
        <Text size="sm">{wait === 'late' ? t('restart.late') : t('restart.waitText')}</Text>
      </Group>
    </Modal>
  )
}
