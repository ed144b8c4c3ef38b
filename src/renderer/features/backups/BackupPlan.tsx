import { useTranslation } from 'react-i18next'
import { getStoreInfo } from '../../../contract/store-care.ts'
import { useOperation } from '../../api/queries.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { ConfigForm } from '../settings/ConfigForm.tsx'
import classes from './backups.module.css'

/** Where backups lie, when the next one is made, and the settings of both in place. It `waits` for what is above it, so that it never moves. */
export function BackupPlan({ waits }: { waits: boolean }) {
  const { t } = useTranslation('backups')
  const store = useOperation(getStoreInfo, {}, { staleTime: 0 })
  const plan = store.data?.backup
  if (waits || store.isPending) return null
  return (
    <ScrollRegion label={t('plan.title')} className={classes.plan}>
      <h2 className={classes.heading}>{t('plan.title')}</h2>
      {store.error && !plan ? <ErrorState compact error={store.error} onRetry={() => void store.refetch()} /> : null}
      {plan ? (
        <dl className={classes.facts}>
          <div>
            <dt>{t('plan.last')}</dt>
            <dd>
              <RelativeTime at={plan.last_at} />
            </dd>
          </div>
          <div>
            <dt>{t('plan.next')}</dt>
            <dd>
              <RelativeTime at={plan.next_at} fallback={t('plan.noNext')} />
            </dd>
          </div>
          <div>
            <dt>{t('plan.folder')}</dt>
            <dd>
              <code>{plan.folder}</code>
              <CopyIcon value={plan.folder} />
            </dd>
          </div>
        </dl>
      ) : null}
      <p className={classes.lead}>{t('plan.key')}</p>
      <div className={classes.settings}>
        <ConfigForm only={({ key }) => key.startsWith('backup.')} withoutHeadings />
      </div>
    </ScrollRegion>
  )
}
