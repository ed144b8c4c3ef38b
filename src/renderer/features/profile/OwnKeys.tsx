import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listApiKeys } from '../../../contract/api-keys.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { listProps } from '../../ui/list-props.ts'
import { useNow } from '../../ui/ticker.ts'
import { useKeyColumns } from '../api-keys/key-columns.tsx'
import { keyState } from '../api-keys/key-expiry.ts'
import classes from './profile.module.css'

/** The keys of one user, to look at. */
export function KeysOf({ userId, empty }: { userId: number; empty: string }) {
  const { t } = useTranslation('profile')
  const now = useNow()
  const list = useList(listApiKeys, { query: { user_id: userId } })
  const columns = useKeyColumns(false)
  return (
    <div className={classes.boxed}>
      <DataTable
        label={t('keys.title')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        isMuted={(key) => keyState(key, new Date(now)) !== 'live'}
        {...listProps(list)}
        what="api-keys"
        height={(Math.min(list.rows.length || 3, 8) + 1) * rowHeight + 2}
        empty={<EmptyState compact icon={IconKey} title={empty} />}
      />
    </div>
  )
}

export function OwnKeys({ userId }: { userId: number }) {
  const { t } = useTranslation('profile')
  return (
    <>
      <KeysOf userId={userId} empty={t('keys.none')} />
      <div className={classes.foot}>
        <Link to={`${paths.settings('api-keys')}?whose=own`}>{t('keys.all')}</Link>
      </div>
    </>
  )
}
