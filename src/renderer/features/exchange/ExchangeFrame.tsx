import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/Page.tsx'

/** Import and export are two sides of one page. */
export function ExchangeFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('exchange')
  const { pathname } = useLocation()
  const tab = (label: string, to: string) => ({ label, to, active: pathname === to })
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={actions}
      tabs={[tab(t('tabs.import'), paths.importBundle()), tab(t('tabs.export'), paths.exportBundle())]}
    >
      {children}
    </Page>
  )
}
