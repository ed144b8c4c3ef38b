import { Button, Group as Buttons, Skeleton, Switch } from '@mantine/core'
import { IconDeviceDesktop } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { DesktopBridge, DesktopSettings } from '../../../contract/desktop-bridge.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { UpdateSection } from './UpdateSection.tsx'
import classes from '../settings/configuration.module.css'
import page from '../settings/settings.module.css'
import own from './desktop-settings.module.css'
import { useDesktopSettings } from './use-desktop-settings.ts'

type Switched = Exclude<keyof DesktopSettings, 'update_feed_url'>

interface SwitchRowProps {
  name: Switched
  value: boolean
  /** Why this machine cannot do it. */
  cannot?: string | undefined
  note?: string | undefined
  onChange: (value: boolean) => void
}

function SwitchRow({ name, value, cannot, note, onChange }: SwitchRowProps) {
  const { t } = useTranslation('desktop')
  const words = `desktop-${name}`
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <h3 className={classes.title}>{t(`${name}.title`)}</h3>
        <p className={classes.text} id={words}>
          {t(`${name}.text`)}
          {cannot || note ? <span className={own.note}>{cannot ?? note}</span> : null}
        </p>
      </div>
      <div className={classes.control} data-type="boolean">
        <Switch
          aria-label={t(`${name}.title`)}
          aria-describedby={words}
          checked={value && !cannot}
          disabled={cannot !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </div>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function DesktopSettingsForm({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation('desktop')
  const { state, problem, change } = useDesktopSettings(bridge)
  if (!state) return problem ? <Failure failure={{ message: problem, details: [] }} /> : <Skeleton height={320} />
  const { settings, abilities } = state
  const row = (name: Switched, more: Pick<SwitchRowProps, 'cannot' | 'note'> = {}) => (
    <SwitchRow name={name} value={settings[name]} onChange={(value) => void change({ [name]: value })} {...more} />
  )
  const mac = bridge.platform === 'darwin'
  return (
    <>
      <p className={page.lead}>{t('saved')}</p>
      {problem ? <Failure failure={{ message: problem, details: [] }} /> : null}
      <Group title={t('groups.background')}>
        {row('run_in_background', {
          cannot: mac ? t('run_in_background.mac') : undefined,
          note: abilities.tray ? undefined : t('noTray'),
        })}
        {row('open_at_login', { cannot: abilities.open_at_login ? undefined : t('open_at_login.cannot') })}
        {row('keep_awake')}
      </Group>
      <Group title={t('groups.notifications')}>{row('notify_failures')}</Group>
      <Group title={t('groups.updates')}>
        <UpdateSection
          bridge={bridge}
          possible={abilities.updates}
          feed={settings.update_feed_url}
          onFeed={(update_feed_url) => change({ update_feed_url })}
        />
      </Group>
    </>
  )
}

/** How the desktop app behaves on this machine. In a browser it says whose settings these are. */
export function DesktopPage() {
  const { t } = useTranslation('desktop')
  const bridge = desktopBridge()
  return (
    <SettingsPage>
      {bridge ? (
        <DesktopSettingsForm bridge={bridge} />
      ) : (
        <EmptyState
          icon={IconDeviceDesktop}
          title={t('browser.title')}
          text={t('browser.text')}
          action={
            <Buttons gap={8}>
              <Button component="a" href={`headgate:/${paths.settings('desktop')}`}>
                {t('browser.open')}
              </Button>
              <Button component={Link} to={paths.docs('install')} variant="default">
                {t('browser.install')}
              </Button>
            </Buttons>
          }
        />
      )}
    </SettingsPage>
  )
}
