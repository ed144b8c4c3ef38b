import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { Page, PageBody, type PageProps } from '../../ui/Page.tsx'
import { SettingsNav } from './SettingsNav.tsx'
import classes from './SettingsNav.module.css'
import { sectionGroups } from './settings-sections.ts'

const sections = sectionGroups.flatMap(({ entries }) => entries)

/** The frame of all settings: the section's name as title, the sections with their search on the left, lines of one width. */
export function SettingsPage({
  children,
  toolbar,
  layout,
  ...page
}: Omit<PageProps, 'title' | 'tabs' | 'crumbs' | 'maxWidth'> & { children: ReactNode }) {
  const { t } = useTranslation('settings')
  const { pathname } = useLocation()
  const section = sections.find((one) => pathname === paths.settings(one.section))
  return (
    <Page
      {...page}
      title={section ? t(`tabs.${section.word}`) : t('title')}
      crumbs={section ? [{ label: t('title'), to: paths.settings() }] : []}
      layout="fill"
    >
      <div className={classes.columns}>
        <SettingsNav />
        <div className={classes.content}>
          <PageBody toolbar={toolbar} layout={layout} maxWidth={980}>
            {children}
          </PageBody>
        </div>
      </div>
    </Page>
  )
}
