import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import {
  IconArrowBarToDown,
  IconChevronDown,
  IconChevronUp,
  IconCircleX,
  IconDownload,
  IconFilter,
  IconSearch,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LogLevel, downloadRunLogs } from '../../../contract/runs.ts'
import { urlOf } from '../../../contract/operation-url.ts'
import { useCommands } from '../../commands/commands.ts'
import { Hint } from '../../ui/Hint.tsx'
import classes from './LogPane.module.css'
import type { LogAddress, LogAddressChange } from './use-log-address.ts'
import type { SearchState } from './use-log-search.ts'
import type { RunLog } from './use-run-log.ts'
import { numberText } from '../../ui/format.ts'

const shownLevels = ['debug', 'info', 'warn', 'error'] as const

interface SearchBoxProps {
  q: string
  onSearch(q: string, direction: 'next' | 'previous'): void
}

/** Enter goes to the next match, Shift-Enter to the one before, Esc empties the field. */
function SearchBox({ q, onSearch }: SearchBoxProps) {
  const { t } = useTranslation('runs')
  const [text, setText] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setText(q), [q])
  useCommands([
    {
      id: 'search',
      title: t('log.search'),
      menu: 'edit',
      icon: IconSearch,
      shortcut: '/',
      also: 'mod+f',
      run: () => input.current?.select(),
    },
  ])
  return (
    <TextInput
      ref={input}
      w={220}
      type="search"
      aria-label={t('log.search')}
      placeholder={t('log.search')}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        if (event.currentTarget.value === '') onSearch('', 'next')
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(text, event.shiftKey ? 'previous' : 'next')
        else if (event.key === 'Escape' && text) onSearch('', 'next')
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

export interface LogToolbarProps {
  runId: number
  log: RunLog
  address: LogAddress
  onAddress(change: LogAddressChange): void
  searchState: SearchState
  onSearch(q: string, direction: 'next' | 'previous'): void
  onError(direction: 'next' | 'previous'): void
  follow: boolean
  onFollow(follow: boolean): void
}

function useStateText({ log, address, searchState }: Pick<LogToolbarProps, 'log' | 'address' | 'searchState'>) {
  const { t } = useTranslation('runs')
  const { filtered } = log
  if (filtered) {
    if (filtered.busy && filtered.count === 0) return t('log.searching')
    const formatted = numberText(filtered.count)
    return filtered.complete
      ? t('log.matches', { count: filtered.count, formatted })
      : t('log.matchesSoFar', { formatted })
  }
  if (!address.q) return ''
  if (searchState === 'searching') return t('log.searching')
  if (searchState === 'missing') return t('log.noMatch')
  return searchState === 'wrapped' ? t('log.wrapped') : ''
}

export function LogToolbar(props: LogToolbarProps) {
  const { runId, log, address, onAddress, searchState, onSearch, onError, follow, onFollow } = props
  const { t } = useTranslation('runs')
  const stateText = useStateText(props)
  const total = log.whole.count
  const download = useRef<HTMLAnchorElement>(null)
  const walks = address.q !== '' && !log.filtered
  // The server finds errors, also in lines that have not come here yet.
  const maySayErrors = total > 0 || !log.whole.finished
  useCommands([
    {
      id: 'log.next',
      title: t('log.next'),
      when: walks,
      icon: IconChevronDown,
      shortcut: ']',
      run: () => onSearch(address.q, 'next'),
    },
    {
      id: 'log.previous',
      title: t('log.previous'),
      when: walks,
      icon: IconChevronUp,
      shortcut: '[',
      run: () => onSearch(address.q, 'previous'),
    },
    {
      id: 'log.next-error',
      title: t('log.nextError'),
      when: maySayErrors,
      icon: IconCircleX,
      shortcut: 'e',
      run: () => onError('next'),
    },
    {
      id: 'log.previous-error',
      title: t('log.previousError'),
      when: maySayErrors,
      icon: IconCircleX,
      shortcut: 'shift+e',
      run: () => onError('previous'),
    },
    {
      id: 'log.only',
      title: t('log.only'),
      when: address.q !== '',
      icon: IconFilter,
      shortcut: 'm',
      run: () => onAddress({ only: !address.only }),
    },
    {
      id: 'log.follow',
      title: t('log.follow'),
      when: log.following,
      icon: IconArrowBarToDown,
      shortcut: 'f',
      run: () => onFollow(!follow),
    },
    {
      id: 'log.download',
      title: t('log.download'),
      icon: IconDownload,
      shortcut: 'shift+d',
      run: () => download.current?.click(),
    },
  ])
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('tabs.log')}>
      <SearchBox q={address.q} onSearch={onSearch} />
      {walks ? (
        <>
          <Hint label={t('log.previous')} command="log.previous">
            <ActionIcon aria-label={t('log.previous')} onClick={() => onSearch(address.q, 'previous')}>
              <IconChevronUp size={16} />
            </ActionIcon>
          </Hint>
          <Hint label={t('log.next')} command="log.next">
            <ActionIcon aria-label={t('log.next')} onClick={() => onSearch(address.q, 'next')}>
              <IconChevronDown size={16} />
            </ActionIcon>
          </Hint>
        </>
      ) : null}
      {address.q ? (
        <Checkbox
          label={t('log.only')}
          checked={address.only}
          onChange={(event) => onAddress({ only: event.currentTarget.checked })}
        />
      ) : null}
      <Select
        w={176}
        aria-label={t('log.level')}
        data={[
          { value: '', label: t('log.allLevels') },
          ...shownLevels.slice(1).map((level) => ({ value: level as string, label: t(`log.levelFrom.${level}`) })),
        ]}
        value={address.level === 'debug' ? '' : (address.level ?? '')}
        allowDeselect={false}
        onChange={(value) => onAddress({ level: value ? (value as LogLevel) : null })}
      />
      <span className={classes.state} data-tone={searchState} role="status">
        {stateText}
      </span>
      <div className={classes.right}>
        {log.following ? (
          <span className={classes.live} data-broken={log.disconnected || undefined}>
            {log.disconnected ? t('log.reconnecting') : t('log.live')}
          </span>
        ) : null}
        <span>{t('log.lines', { count: total, formatted: numberText(total) })}</span>
        {log.following ? (
          <Hint label={t('log.followTitle')} command="log.follow">
            <Button
              size="compact-xs"
              variant={follow ? 'light' : 'default'}
              aria-pressed={follow}
              leftSection={<IconArrowBarToDown size={14} aria-hidden />}
              onClick={() => onFollow(!follow)}
            >
              {t('log.follow')}
            </Button>
          </Hint>
        ) : null}
        <Hint label={t('log.download')} command="log.download">
          <ActionIcon
            ref={download}
            component="a"
            href={urlOf(downloadRunLogs, { id: runId })}
            download={`run-${runId}.log`}
            aria-label={t('log.download')}
          >
            <IconDownload size={16} />
          </ActionIcon>
        </Hint>
      </div>
    </div>
  )
}
