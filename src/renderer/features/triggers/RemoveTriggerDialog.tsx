import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { deleteEventTrigger } from '../../../contract/event-triggers.ts'
import type { OperationId } from '../../../contract/operations.ts'
import type { deleteTrigger } from '../../../contract/triggers.ts'
import { useAction } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

interface RemoveTriggerDialogProps {
  /** null: closed. */
  trigger: { id: number; job_name: string } | null
  operation: typeof deleteTrigger | typeof deleteEventTrigger
  invalidates: readonly OperationId[]
  onClose: () => void
}

export function RemoveTriggerDialog({ trigger, operation, invalidates, onClose }: RemoveTriggerDialogProps) {
  const { t } = useTranslation('triggers')
  const remove = useAction(operation, { invalidates })
  const done = () => {
    notifications.show({ message: t('removed') })
    onClose()
  }
  return (
    <ConfirmDialog
      opened={trigger !== null}
      title={t('removeTitle', { job: trigger?.job_name ?? '' })}
      text={t('removeText')}
      confirmLabel={t('remove')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => {
        if (trigger) remove.mutate({ params: { id: trigger.id } }, { onSuccess: done })
      }}
    />
  )
}
