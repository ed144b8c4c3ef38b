import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DashboardShare, deleteDashboardShare, listDashboardShares } from '../../../contract/dashboards.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { dateText, numberText } from '../../ui/format.ts'
import classes from './share.module.css'
import { shareName } from './share-name.ts'
import { useOpening } from '../../ui/use-opening.ts'

/** Links of a dashboard that work. */
export function ShareList({ dashboardId }: { dashboardId: number }) {
  const { t } = useTranslation('shares')
  const opening = useOpening()
  const { t: tBoard } = useTranslation('dashboards')
  const { can } = useSession()
  const [asked, setAsked] = useState<DashboardShare | null>(null)
  const list = useList(listDashboardShares, { params: { id: dashboardId }, query: { limit: 100, active: true } })
  if (list.error) return <ErrorState what="public-links" error={list.error} onRetry={list.retry} compact />
  if (list.isLoading) return null
  const mayRevoke = can('deleteDashboardShare')
  return (
    <section aria-label={t('active')} className={classes.list}>
      <h3 className={classes.label}>{t('active')}</h3>
      {list.rows.length === 0 ? (
        <p className={classes.none}>{t('noneActive')}</p>
      ) : (
        <ScrollRegion label={t('active')} className={classes.scroll}>
          <table>
            <thead>
              <tr>
                <th>{t('columns.name')}</th>
                <th>{t('columns.filters')}</th>
                <th>{t('columns.expires')}</th>
                <th data-align="right">{t('columns.views')}</th>
                <th>{t('columns.lastView')}</th>
                {mayRevoke ? <th aria-label={t('columns.action')} /> : null}
              </tr>
            </thead>
            <tbody>
              {list.rows.map((share) => (
                <tr key={share.id}>
                  <td className={classes.name} title={share.allowed_origins.join(', ') || undefined}>
                    {shareName(share)}
                  </td>
                  <td>{t(share.filters)}</td>
                  <td>{share.expires_at ? dateText(new Date(share.expires_at), 'day') : t('never')}</td>
                  <td data-align="right">{numberText(share.view_count)}</td>
                  <td>
                    <RelativeTime at={share.last_viewed_at} last />
                  </td>
                  {mayRevoke ? (
                    <td data-align="right">
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={t('revokeOne', { name: shareName(share) })}
                        onClick={() => setAsked(share)}
                      >
                        {opening(t('revoke'))}
                      </Button>
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {list.hasNext ? (
        <Button size="compact-xs" variant="default" loading={list.isFetchingNext} onClick={list.fetchNext}>
          {tBoard('options.more')}
        </Button>
      ) : null}
      {asked ? <RevokeDialog share={asked} onClose={() => setAsked(null)} /> : null}
    </section>
  )
}

function RevokeDialog({ share, onClose }: { share: DashboardShare; onClose: () => void }) {
  const { t } = useTranslation('shares')
  const revoke = useAction(deleteDashboardShare, {
    invalidates: ['listDashboardShares', 'listAllShares', 'listDashboards', 'getDashboard'],
  })
  const params = { id: share.dashboard_id, shareId: share.id }
  return (
    <ConfirmDialog
      opened
      title={t('revokeTitle', { name: shareName(share) })}
      text={t('revokeText')}
      confirmLabel={t('revoke')}
      danger
      busy={revoke.isPending}
      error={revoke.error?.message}
      onConfirm={() => revoke.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
