import { FocusTrap, Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { RestingKeys } from './use-dialog-keys.ts'

interface FormDialogProps {
  opened: boolean
  title: string
  size: ModalProps['size']
  /** Until a button in it is pressed: it shows what is shown once. */
  stays?: boolean
  children: ReactNode
  onClose: () => void
}

/** What changes a field without an event of input: a list's choice, the steps of a number, the cross of a chosen value. */
const choices = '[role="option"], .mantine-NumberInput-control, .mantine-Pill-remove'
const steppedBy: Record<string, string | undefined> = {
  ArrowUp: '.mantine-NumberInput-root',
  ArrowDown: '.mantine-NumberInput-root',
  Backspace: '.mantine-MultiSelect-root',
}

/** A dialog with a form. Esc and its cross ask before they throw away what was typed or chosen; its own button `Cancel` says so itself. */
export function FormDialog({ opened, title, size, stays = false, children, onClose }: FormDialogProps) {
  const { t } = useTranslation()
  const edited = useRef(false)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (opened && !stays) return
    edited.current = false
    setAsking(false)
  }, [opened, stays])
  return (
    <>
      <Modal
        opened={opened}
        size={size}
        closeOnEscape={!stays && !asking}
        withCloseButton={!stays}
        onClose={() => (edited.current ? setAsking(true) : onClose())}
        onInput={() => {
          edited.current = true
        }}
        onClick={({ target }) => {
          edited.current ||= target instanceof Element && target.closest(choices) !== null
        }}
        onKeyDown={({ key, target }) => {
          const field = steppedBy[key]
          edited.current ||= field !== undefined && target instanceof Element && target.closest(field) !== null
        }}
        title={<b>{title}</b>}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <RestingKeys value={asking}>{children}</RestingKeys>
        {/* Where nothing in it asks for the focus: the cross must not be what Enter presses. */}
        <FocusTrap.InitialFocus />
      </Modal>
      {/* Were it there before, it would hear the very Escape that asks, and close again. */}
      {opened && asking ? (
        <ConfirmDialog
          opened
          title={t('form.discardTitle')}
          text={t('form.discardText')}
          confirmLabel={t('form.discard')}
          danger
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
