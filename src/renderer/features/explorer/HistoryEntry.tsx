import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCopy, IconDots, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { QueryHistoryEntry } from '../../../contract/query-history.ts'
import { translateKept } from '../../i18n/translate.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { MenuEntry } from '../../ui/MenuEntry.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { numberText } from '../../ui/format.ts'
import { isCut } from './history.rules.ts'
import classes from './history.module.css'

interface HistoryEntryProps {
  entry: QueryHistoryEntry
  onOpen: (run: boolean) => void
  onDelete: () => void
}

/** One query or change, and what became of it. */
export function HistoryEntry({ entry, onOpen, onDelete }: HistoryEntryProps) {
  const { t } = useTranslation('explorer')
  const { text, kind, rows, error, error_params, duration_ms, at, asked } = entry
  const cut = isCut(entry)
  // In the words of the connected system alone, as beside the query itself.
  const cause = error_params?.['cause']
  const said = typeof cause === 'string' ? cause : <CodeWords text={translateKept(error, error_params) ?? ''} />
  const copy = () =>
    void copyText(text).then(
      () => notifications.show({ message: t('history.copied') }),
      (failure: Error) => notifications.show({ color: 'red', message: failure.message }),
    )
  return (
    <li className={classes.entry}>
      <button
        type="button"
        className={classes.open}
        disabled={cut}
        title={cut ? t('history.cut') : text.slice(0, mostInTitle)}
        onClick={() => onOpen(false)}
      >
        <code className={classes.text}>{text.slice(0, mostShown)}</code>
        <span className={classes.facts}>
          {kind === 'change' ? (
            <span className={classes.change}>
              <IconPencil size={12} aria-hidden /> {t('history.change')}
            </span>
          ) : null}
          <RelativeTime at={at} />
          <Duration ms={duration_ms} />
          {error === null ? (
            <span>
              {rows === null
                ? t('history.rowsUnknown')
                : t(kind === 'change' ? 'history.changed' : 'result.rows', {
                    count: rows,
                    formatted: numberText(rows),
                  })}
            </span>
          ) : null}
        </span>
        {error === null ? null : (
          <span className={classes.error} title={error}>
            <IconAlertTriangle size={12} aria-hidden /> {said}
          </span>
        )}
        {cut ? <span className={classes.facts}>{t('history.cut')}</span> : null}
      </button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={20} aria-label={t('history.actions', { text: text.slice(0, 40) })}>
            <IconDots size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuEntry
            needsServer
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            disabled={asked === null}
            onClick={() => onOpen(true)}
          >
            {t('history.again')}
          </MenuEntry>
          <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} disabled={cut} onClick={() => onOpen(false)}>
            {t('history.open')}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={copy}>
            {t('history.copy')}
          </Menu.Item>
          <MenuEntry needsServer leftSection={<IconTrash size={14} aria-hidden />} onClick={onDelete}>
            {t('history.delete')}
          </MenuEntry>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}

/** Characters: the pane shows three lines, and a tooltip no more than a screen. */
const mostShown = 400
const mostInTitle = 2000
