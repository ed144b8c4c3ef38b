import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../ui/Kbd.tsx'
import { type Command, useRegisteredCommands } from './commands.ts'
import classes from './commands.module.css'

/** What `?` shows: every shortcut that works here and now. */
export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const { t: tUi } = useTranslation()
  const groups = Map.groupBy(
    useRegisteredCommands().filter((command) => command.shortcut),
    (command: Command) => command.group ?? t('groups.page'),
  )
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<b>{t('shortcuts.title')}</b>}
      size={640}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      <div className={classes.shortcuts}>
        {[...groups].map(([group, commands]) => (
          <section key={group}>
            <h2 className={classes.group}>{group}</h2>
            <dl className={classes.list}>
              {commands.map((command) => (
                <div key={command.id} className={classes.item}>
                  <dt>{command.title}</dt>
                  <dd>
                    <Kbd keys={command.shortcut ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
