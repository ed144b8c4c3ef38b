import { IconDatabaseOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getHealth } from '../../../contract/health.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import classes from './Shell.module.css'

/** Says that the store cannot be written, or soon cannot, for as long as it is so. Everybody may know. */
export function StoreBanner() {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const health = useOperation(getHealth)
  const checks = health.data?.checks
  const database = checks?.database.status === 'degraded'
  const bad = database ? checks.database : checks?.disk.status === 'degraded' ? checks.disk : null
  if (!bad) return null
  return (
    <div className={classes.banner} data-tone={database ? 'failed' : undefined} role="alert">
      <IconDatabaseOff size={15} aria-hidden />
      <b>{database ? t('store.databaseTitle') : t('store.diskTitle')}</b>
      <span>{bad.message}</span>
      {can('getStoreInfo') ? <Link to={paths.settings('store')}>{t('store.open')}</Link> : null}
    </div>
  )
}
