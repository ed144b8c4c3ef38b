import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EventTrigger, rotateEventTriggerToken } from '../../../contract/event-triggers.ts'
import { useAction } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { HookAddress } from './HookAddress.tsx'

/** Asks before the old address ends, then shows the new one, once. */
export function RotateDialog({ trigger, onClose }: { trigger: EventTrigger | null; onClose: () => void }) {
  const { t } = useTranslation('triggers')
  const { t: tUi } = useTranslation()
  const rotate = useAction(rotateEventTriggerToken, { invalidates: ['listEventTriggers'] })
  const [token, setToken] = useState<string | null>(null)
  if (token) {
    const done = () => {
      setToken(null)
      onClose()
    }
    return (
      <Modal
        opened
        onClose={done}
        closeOnEscape={false}
        withCloseButton={false}
        title={<b>{t('event.made')}</b>}
        size={520}
        closeButtonProps={{ 'aria-label': tUi('close') }}
      >
        <HookAddress token={token} onDone={done} />
      </Modal>
    )
  }
  return (
    <ConfirmDialog
      opened={trigger !== null}
      title={t('event.rotateTitle', { name: trigger?.name ?? '' })}
      text={t('event.rotateText')}
      confirmLabel={t('event.rotate')}
      danger
      busy={rotate.isPending}
      error={rotate.error?.message}
      onClose={onClose}
      onConfirm={() => {
        if (trigger) rotate.mutate({ params: { id: trigger.id } }, { onSuccess: (made) => setToken(made.token) })
      }}
    />
  )
}
