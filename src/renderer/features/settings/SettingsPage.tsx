import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Page, type PageProps } from '../../ui/Page.tsx'

/** The frame of all settings: one title, a tab a section. */
export function SettingsPage({ children, ...page }: Omit<PageProps, 'title' | 'tabs'> & { children: ReactNode }) {
  const { t } = useTranslation('settings')
  const { can } = useSession()
  const { pathname } = useLocation()
  const tab = (label: string, to: string) => ({ label, to, active: pathname === to })
  return (
    <Page
      {...page}
      title={t('title')}
      tabs={[
        tab(t('tabs.appearance'), paths.settings('appearance')),
        tab(t('tabs.apiKeys'), paths.settings('api-keys')),
        tab(t('tabs.notifications'), paths.settings('notifications')),
        tab(t('tabs.pools'), paths.settings('pools')),
        ...(can('getServerInfo') ? [tab(t('tabs.server'), paths.settings('server'))] : []),
      ]}
    >
      {children}
    </Page>
  )
}
