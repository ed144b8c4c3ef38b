import { Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { StartCommand } from './StartCommand.tsx'
import classes from './executors.module.css'

/** How one more executor is started: it is a process of its own, so that there is a command for it and no form. */
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
        size={620}
        closeButtonProps={{ 'aria-label': word('close') }}
      >
        <div className={classes.start}>
          <p>
            <CodeWords text={t('startText')} />
          </p>
          <StartCommand />
          <p>
            {t('startElsewhere')} <Link to={paths.docs('executors', 'start-one')}>{t('startDocs')}</Link>
          </p>
        </div>
      </Modal>
    </>
  )
}
