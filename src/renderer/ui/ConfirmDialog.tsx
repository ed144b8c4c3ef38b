import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** What will happen, and whether it can be undone. */
  text: ReactNode
  /** The verb of the deed: `Archive`, `Revoke`. */
  confirmLabel: string
  danger?: boolean
  busy?: boolean
  /** Why the last attempt failed. */
  error?: string | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a deed that destroys or disturbs. Esc and the first button leave everything as it is; where the deed destroys, Enter does, too. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      closeOnClickOutside
      title={<b>{props.title}</b>}
      size={420}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Text component="div" size="sm">
        {props.text}
      </Text>
      {props.error ? (
        <Text size="sm" mt={8} c="var(--hg-status-failed-text)" role="alert">
          {props.error}
        </Text>
      ) : null}
      <Group justify="flex-end" mt={16} gap={8}>
        <Button variant="default" onClick={props.onClose} data-autofocus={props.danger || undefined}>
          {t('form.cancel')}
        </Button>
        <Button
          color={props.danger ? 'red.9' : undefined}
          loading={props.busy}
          onClick={props.onConfirm}
          data-autofocus={props.danger ? undefined : true}
        >
          {props.confirmLabel}
        </Button>
      </Group>
    </Modal>
  )
}
