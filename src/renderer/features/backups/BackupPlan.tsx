import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getServerConfig } from '../../../contract/server-config.ts'
import { getStoreInfo } from '../../../contract/store-care.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { Cut } from '../../ui/Cut.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import dialogs from '../../ui/document/dialogs.module.css'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { ConfigForm } from '../settings/ConfigForm.tsx'
import settings from '../settings/settings.module.css'
import classes from './backups.module.css'

/** Where the backups below it lie, and what they don’t hold. */
export function BackupPlace() {
  const { t } = useTranslation('backups')
  const folder = useOperation(getStoreInfo, {}, { staleTime: 0 }).data?.backup.folder
  return (
    <>
      <div className={classes.key}>
        <p className={dialogs.notice} role="note">
          <IconKey size={15} aria-hidden />
          <span>
            {t('plan.key')} <Link to={paths.settings('secrets')}>{t('plan.keyPlace')}</Link>
          </span>
        </p>
      </div>
      <header className={classes.place}>
        <h2>{t('available')}</h2>
        {folder === undefined ? null : (
          <span className={settings.path}>
            {t('in')}
            <code>
              <Cut text={folder} />
            </code>
            <CopyIcon value={folder} />
          </span>
        )}
      </header>
    </>
  )
}

interface BackupPlanProps {
  /** For what is above it, so that it never moves. */
  waits: boolean
  /** What failed above it: said there for both. */
  above: Error | null
}

/** When the next backup is made, and the settings of backups in place. */
export function BackupPlan({ waits, above }: BackupPlanProps) {
  const { t } = useTranslation('backups')
  const store = useOperation(getStoreInfo, {}, { staleTime: 0 })
  const plan = store.data?.backup
  const config = useOperation(getServerConfig)
  const retry = () => {
    for (const one of [store, config]) if (one.error) void one.refetch()
  }
  if (waits || store.isPending || (above && store.error && !plan)) return null
  return (
    <ScrollRegion label={t('plan.title')} className={classes.plan}>
      <h2 className={classes.heading}>{t('plan.title')}</h2>
      {store.error && !plan ? <ErrorState what="backup-plan" compact error={store.error} onRetry={retry} /> : null}
      {plan ? (
        <dl className={classes.facts}>
          <div>
            <dt>{t('plan.last')}</dt>
            <dd>
              <RelativeTime at={plan.last_at} last />
            </dd>
          </div>
          <div>
            <dt>{t('plan.next')}</dt>
            <dd>
              <RelativeTime at={plan.next_at} fallback={t('plan.noNext')} />
            </dd>
          </div>
        </dl>
      ) : null}
      {/* Said once: its settings could not be read, either. */}
      {store.error && !plan && config.error && !config.data ? null : (
        <div className={classes.settings}>
          <ConfigForm only={({ key }) => key.startsWith('backup.')} withoutHeadings />
        </div>
      )}
    </ScrollRegion>
  )
}
