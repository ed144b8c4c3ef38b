import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { IconRefreshAlert } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { restartServer } from '../../../contract/server-config.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ServerWaitDialog } from './ServerWaitDialog.tsx'
import classes from './configuration.module.css'
import { useServerWait } from './use-server-wait.ts'

/** Some settings wait for the next start, which can be now. */
export function RestartNotice({ pending }: { pending: boolean }) {
  const { t } = useTranslation('configuration')
  const { can } = useSession()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const restart = useAction(restartServer)
  const { wait, begin } = useServerWait(() => {
    void client.invalidateQueries()
    notifications.show({ message: t('restart.done') })
  })
  const go = () => {
    const askedAt = performance.now()
    restart.mutate(
      {},
      {
        onSuccess: () => {
          setAsking(false)
          begin(askedAt)
        },
      },
    )
  }
  return (
    <>
      {pending ? (
        <div className={classes.notice} role="status">
          <IconRefreshAlert size={15} aria-hidden />
          <span>{can('restartServer') ? t('restart.notice') : t('restart.noticeOthers')}</span>
          {can('restartServer') ? (
            <CommandButton
              id="server.restart"
              opens
              needsServer
              label={t('restart.action')}
              variant="default"
              size="compact-xs"
              onClick={() => setAsking(true)}
            />
          ) : null}
        </div>
      ) : null}
      <ConfirmDialog
        opened={asking}
        title={t('restart.title')}
        text={t('restart.text')}
        confirmLabel={t('restart.action')}
        busy={restart.isPending}
        error={restart.error?.message}
        onConfirm={go}
        onClose={() => setAsking(false)}
      />
      <ServerWaitDialog wait={wait} />
    </>
  )
}
