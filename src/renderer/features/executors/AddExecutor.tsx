import { Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { AddExecutorSteps } from './AddExecutorSteps.tsx'

/** How one more executor is started: it is a process of its own, so that there are commands for it and no form. */
export function AddExecutor() {
  const { t } = useTranslation('executors')
  const { t: word } = useTranslation()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <CommandButton
        id="executors.add"
        label={t('start')}
        icon={IconPlus}
        onClick={() => setOpened(true)}
        shortcut="c"
      />
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        closeOnClickOutside
        title={<b>{t('startTitle')}</b>}
        size={740}
        closeButtonProps={{ 'aria-label': word('close') }}
      >
        <AddExecutorSteps />
      </Modal>
    </>
  )
}
