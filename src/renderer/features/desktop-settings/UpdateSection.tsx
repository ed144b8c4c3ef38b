import { Button, Progress, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesktopBridge, DesktopUpdate } from '../../../contract/desktop-bridge.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import classes from '../settings/configuration.module.css'
import own from './desktop-settings.module.css'
import { useDesktopUpdate } from './use-desktop-settings.ts'

function UpdateState({ update, version }: { update: DesktopUpdate; version: string }) {
  const { t } = useTranslation('desktop')
  if (update.state === 'off') return <>{t('update.off', { version })}</>
  if (update.state === 'checking') return <>{t('update.checking')}</>
  if (update.state === 'ready') return <>{t('update.ready', { version: update.version })}</>
  if (update.state === 'downloading') {
    return (
      <>
        {t('update.downloading', { version: update.version })}
        <Progress value={update.percent} size="sm" aria-label={t('update.progress')} className={own.progress} />
      </>
    )
  }
  if (update.state === 'failed') return <>{t('update.failed', { message: update.message })}</>
  return (
    <>
      {t('update.current', { version })}
      {update.checked_at === null ? null : (
        <>
          {' '}
          {t('update.lastChecked')} <RelativeTime at={update.checked_at} />
        </>
      )}
    </>
  )
}

interface FeedProps {
  value: string
  disabled: boolean
  /** False: it was refused. */
  onSave: (value: string) => Promise<boolean>
}

function Feed({ value, disabled, onSave }: FeedProps) {
  const { t } = useTranslation('desktop')
  const { t: word } = useTranslation()
  const [draft, setDraft] = useState<string | null>(null)
  const changed = draft !== null && draft !== value
  const save = () => void onSave((draft ?? value).trim()).then((ok) => ok && setDraft(null))
  return (
    <form
      className={classes.row}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className={classes.words}>
        <h3 className={classes.title}>{t('update_feed_url.title')}</h3>
        <p className={classes.text} id="desktop-update_feed_url">
          {t('update_feed_url.text')}
        </p>
      </div>
      <div className={classes.control} style={{ flexBasis: 440 }}>
        <TextInput
          flex="1 1 140px"
          aria-label={t('update_feed_url.title')}
          aria-describedby="desktop-update_feed_url"
          placeholder="https://downloads.example.com/headgate/"
          type="url"
          disabled={disabled}
          value={draft ?? value}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <Button type="submit" disabled={disabled || !changed}>
          {word('form.save')}
        </Button>
        {changed ? (
          <Button variant="default" onClick={() => setDraft(null)}>
            {word('form.cancel')}
          </Button>
        ) : null}
      </div>
    </form>
  )
}

export interface UpdateSectionProps {
  bridge: DesktopBridge
  /** An app that was installed. */
  possible: boolean
  feed: string
  onFeed: (feed: string) => Promise<boolean>
}

/** Where updates come from, and how far one is. */
export function UpdateSection({ bridge, possible, feed, onFeed }: UpdateSectionProps) {
  const { t } = useTranslation('desktop')
  const { update, problem, check, install } = useDesktopUpdate(bridge)
  const busy = update?.state === 'checking' || update?.state === 'downloading'
  return (
    <>
      <div className={classes.row} data-line>
        <div className={classes.words} role="status">
          {possible ? (
            update ? (
              <UpdateState update={update} version={bridge.versions.app} />
            ) : null
          ) : (
            t('update.notInstalled', { version: bridge.versions.app })
          )}
          {problem ? <Failure failure={{ message: problem, details: [] }} /> : null}
        </div>
        <div className={classes.control} data-type="boolean">
          {update?.state === 'ready' ? (
            <CommandButton id="desktop.install-update" label={t('update.install')} onClick={install} />
          ) : (
            <CommandButton
              id="desktop.check-update"
              label={t('update.check')}
              variant="default"
              disabled={!possible || feed === '' || busy}
              onClick={check}
            />
          )}
        </div>
      </div>
      <Feed value={feed} disabled={!possible} onSave={onFeed} />
    </>
  )
}
