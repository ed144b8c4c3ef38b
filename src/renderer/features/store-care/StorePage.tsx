import { notifications } from '@mantine/notifications'
import { orDash } from '../../ui/nothing.tsx'
import { IconAlertTriangle, IconArrowsMinimize, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type StoreInfo, cleanStore, getStoreInfo, vacuumStore } from '../../../contract/store-care.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { bytesText } from '../../ui/time.ts'
import { ConfigForm } from '../settings/ConfigForm.tsx'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { TableBars } from './TableBars.tsx'
import classes from './store-care.module.css'

const removedKinds = ['runs', 'job_runs', 'log_lines', 'rejects', 'deliveries'] as const

/** `12 runs, 3,400 log lines`; what nothing was removed of is not named. */
function useRemovedText() {
  const { t } = useTranslation('storeCare')
  return (removed: StoreInfo['retention']['removed']) => {
    const parts = removedKinds
      .filter((kind) => removed[kind] > 0)
      .map((kind) => t(`removed.${kind}`, { count: removed[kind] }))
    return parts.length > 0 ? parts.join(', ') : t('removed.nothing')
  }
}

function useDeeds() {
  const { t } = useTranslation('storeCare')
  const removedText = useRemovedText()
  const vacuum = useAction(vacuumStore, { invalidates: ['getStoreInfo', 'getHealth'] })
  const clean = useAction(cleanStore, { invalidates: ['getStoreInfo', 'listRuns', 'listAllJobRuns'] })
  const failed = (failure: Error) => notifications.show({ color: 'red', message: failure.message })
  return {
    vacuuming: vacuum.isPending,
    cleaning: clean.isPending,
    vacuum: () =>
      vacuum.mutate(
        {},
        {
          onSuccess: ({ bytes_before: before, bytes_after: after }) =>
            notifications.show({
              message: t('vacuumed', { bytes: bytesText(Math.max(0, before - after)), now: bytesText(after) }),
            }),
          onError: failed,
        },
      ),
    clean: () =>
      clean.mutate(
        {},
        {
          onSuccess: ({ removed }) => notifications.show({ message: t('cleaned', { what: removedText(removed) }) }),
          onError: failed,
        },
      ),
  }
}

function Figures({ info }: { info: StoreInfo }) {
  const { t } = useTranslation('storeCare')
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('size')}</dt>
        <dd>{bytesText(info.bytes)}</dd>
      </div>
      <div>
        <dt>{t('unused')}</dt>
        <dd>{bytesText(info.unused_bytes)}</dd>
      </div>
      <div>
        <dt>{t('free')}</dt>
        <dd>{orDash(info.disk_free_bytes === null ? null : bytesText(info.disk_free_bytes))}</dd>
      </div>
    </dl>
  )
}

function Problem({ info }: { info: StoreInfo }) {
  const { t } = useTranslation('storeCare')
  if (info.writable) return null
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={15} aria-hidden />
      <div>
        <b>{t('notWritable')}</b> {info.problem} {t('notWritableText')}
      </div>
    </div>
  )
}

/** What fills the store, what is removed from it by itself, and what gives space back. */
export function StorePage() {
  const { t } = useTranslation('storeCare')
  const { can } = useSession()
  const store = useOperation(getStoreInfo, {}, { staleTime: 0 })
  const deeds = useDeeds()
  const removedText = useRemovedText()
  const info = store.data
  return (
    <SettingsPage>
      {store.error && !info ? (
        <ErrorState what="store" error={store.error} onRetry={() => void store.refetch()} />
      ) : null}
      {info ? (
        <>
          <Problem info={info} />
          <Figures info={info} />
          <section className={classes.section}>
            <header>
              <h2>{t('tables')}</h2>
              {can('vacuumStore') ? (
                <CommandButton
                  id="store.vacuum"
                  needsServer
                  label={t('vacuum')}
                  variant="default"
                  icon={IconArrowsMinimize}
                  loading={deeds.vacuuming}
                  disabled={info.unused_bytes === 0}
                  onClick={deeds.vacuum}
                />
              ) : null}
            </header>
            <p>{t('vacuumText')}</p>
            <TableBars info={info} />
          </section>
          <section className={classes.section}>
            <header>
              <h2>{t('retention')}</h2>
              {can('cleanStore') ? (
                <CommandButton
                  id="store.clean"
                  needsServer
                  label={t('clean')}
                  variant="default"
                  icon={IconTrash}
                  loading={deeds.cleaning}
                  onClick={deeds.clean}
                />
              ) : null}
            </header>
            {info.retention.last_at === null ? (
              <p>{t('notCleaned')}</p>
            ) : (
              <p>
                {t('lastClean')} <RelativeTime at={info.retention.last_at} />
                {' · '}
                {t('removedSoFar', { what: removedText(info.retention.removed) })}
              </p>
            )}
            <ConfigForm only={({ key }) => key.startsWith('retention.')} withoutHeadings />
          </section>
        </>
      ) : null}
    </SettingsPage>
  )
}
