import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { desktopBridge } from '../../desktop-bridge.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { forgetLayout } from '../../ui/layout-memory.ts'
import { contrastChoices, motionChoices } from '../../ui/looks.rules.ts'
import { chooseContrast, chooseMotion, useLookChoices } from '../../ui/looks.ts'
import { useTheme } from '../shell/theme-choice.ts'
import { LanguageSection } from './LanguageSection.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import classes from './settings.module.css'
import { CommandButton } from '../../ui/CommandButton.tsx'

const shownStatuses = ['pending', 'running', 'success', 'completed', 'failed', 'cancelled', 'paused'] as const

export function AppearancePage() {
  const { t } = useTranslation('settings')
  const { colorScheme } = useMantineColorScheme()
  const chooseTheme = useTheme()
  const choices = useLookChoices()
  const reset = () => {
    forgetLayout()
    notifications.show({ message: t('appearance.resetDone') })
  }
  return (
    <SettingsPage>
      <p className={classes.lead}>{t(desktopBridge() ? 'appearance.saved.desktop' : 'appearance.saved.browser')}</p>
      <section className={classes.section}>
        <h2>{t('appearance.theme')}</h2>
        <SegmentedControl
          aria-label={t('appearance.theme')}
          value={colorScheme}
          onChange={(value) => chooseTheme(value)}
          data={[
            { value: 'auto', label: t('appearance.system') },
            { value: 'light', label: t('appearance.light') },
            { value: 'dark', label: t('appearance.dark') },
          ]}
        />
      </section>
      <LanguageSection />
      <section className={classes.section}>
        <h2>{t('appearance.contrast')}</h2>
        <p>{t('appearance.contrastText')}</p>
        <SegmentedControl
          aria-label={t('appearance.contrast')}
          value={choices.contrast}
          onChange={chooseContrast}
          data={contrastChoices.map((value) => ({ value, label: t(`appearance.contrasts.${value}`) }))}
        />
      </section>
      <section className={classes.section}>
        <h2>{t('appearance.motion')}</h2>
        <p>{t('appearance.motionText')}</p>
        <SegmentedControl
          aria-label={t('appearance.motion')}
          value={choices.motion}
          onChange={chooseMotion}
          data={motionChoices.map((value) => ({ value, label: t(`appearance.motions.${value}`) }))}
        />
      </section>
      <section className={classes.section}>
        <h2>{t('appearance.statuses')}</h2>
        <p>{t('appearance.statusesText')}</p>
        <div className={classes.statuses}>
          {shownStatuses.map((status) => (
            <StatusBadge key={status} status={status} size="md" />
          ))}
        </div>
      </section>
      <section className={classes.section}>
        <h2>{t('appearance.layout')}</h2>
        <p>{t('appearance.layoutText')}</p>
        <CommandButton id="appearance.reset" label={t('appearance.reset')} variant="default" onClick={reset} />
      </section>
    </SettingsPage>
  )
}
