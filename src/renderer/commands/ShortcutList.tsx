import { Modal, TextInput } from '@mantine/core'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import { IconSearch } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../ui/Kbd.tsx'
import { type Command, useRegisteredCommands } from './commands.ts'
import './fades.css'
import classes from './commands.module.css'
import { byGroup, groupOf } from './menu.rules.ts'
import { matchesQuery } from './palette.rules.ts'

/** What `?` shows: every shortcut that works here and now. */
export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const { t: word } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnClickOutside
      title={<b>{t('shortcuts.title')}</b>}
      size="min(960px, 94vw)"
      classNames={{ content: classes.sheet, body: classes.sheetBody }}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <List />
    </Modal>
  )
}

/** A chord, or chords with words between them: `G then T`. */
function Keys({ keys }: { keys: string }) {
  const { t } = useTranslation('shell')
  const [first = '', ...others] = keys.split(' ')
  return (
    <span className={classes.chords}>
      <Kbd keys={first} />
      {others.map((chord) => (
        <Fragment key={chord}>
          {t('shortcuts.thenKey')} <Kbd keys={chord} />
        </Fragment>
      ))}
    </span>
  )
}

function List() {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useState('')
  const found = useRegisteredCommands().filter(
    ({ title, shortcut, keywords }) => shortcut && matchesQuery(`${title} ${keywords ?? ''}`, query),
  )
  const ofPage = found.filter((command) => groupOf(command) === 'page')
  /** What the page creates has a key here and keys everywhere: one line. */
  const twinOf = (command: Command) =>
    groupOf(command) === 'page' ? found.find((one) => one.group === 'create' && one.title === command.title) : undefined
  const lines = found.filter(({ group, title }) => group !== 'create' || !ofPage.some((one) => one.title === title))
  return (
    <>
      <TextInput
        type="search"
        aria-label={t('shortcuts.find')}
        placeholder={t('shortcuts.find')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollRegion label={t('shortcuts.title')} className={`hg-fades ${classes.sheetList}`}>
        <div className={classes.shortcuts}>
          {byGroup(lines).map(([group, commands]) => (
            <section key={group} aria-label={t(`groups.${group}`)}>
              <h2 className={classes.group}>{t(`groups.${group}`)}</h2>
              <dl className={classes.list}>
                {commands.map((command) => {
                  const { id, title, short = title, shortcut = '', also } = command
                  const twin = twinOf(command)
                  return (
                    <div key={id} className={classes.item} data-command={id} data-keys={shortcut} data-also={also}>
                      <dt title={short}>{short}</dt>
                      <dd>
                        {also ? (
                          <>
                            <Keys keys={also} /> {t('shortcuts.or')}{' '}
                          </>
                        ) : null}
                        <Keys keys={shortcut} />
                        {twin?.shortcut ? (
                          <>
                            {' '}
                            {t('shortcuts.or')}{' '}
                            <span data-command={twin.id} data-keys={twin.shortcut}>
                              <Keys keys={twin.shortcut} />
                            </span>
                          </>
                        ) : null}
                      </dd>
                    </div>
                  )
                })}
              </dl>
            </section>
          ))}
        </div>
        <p className={classes.none} role="status">
          {found.length === 0 ? t('shortcuts.nothing') : null}
        </p>
      </ScrollRegion>
      <p className={classes.foot}>{t('shortcuts.more')}</p>
    </>
  )
}
