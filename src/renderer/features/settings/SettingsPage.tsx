import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page, PageBody, type PageProps } from '../../ui/Page.tsx'
import { SettingsNav } from './SettingsNav.tsx'
import classes from './SettingsNav.module.css'

/** The frame of all settings: one title, the sections with their search on the left. */
export function SettingsPage({
  children,
  toolbar,
  layout,
  maxWidth,
  ...page
}: Omit<PageProps, 'title' | 'tabs'> & { children: ReactNode }) {
  const { t } = useTranslation('settings')
  return (
    <Page {...page} title={t('title')} layout="fill">
      <div className={classes.columns}>
        <SettingsNav />
        <div className={classes.content}>
          <PageBody toolbar={toolbar} layout={layout} maxWidth={maxWidth}>
            {children}
          </PageBody>
        </div>
      </div>
    </Page>
  )
}
