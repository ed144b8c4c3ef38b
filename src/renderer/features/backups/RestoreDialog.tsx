import { Button, Group, Modal, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Backup, restoreBackup } from '../../../contract/backups.ts'
import { useAction } from '../../api/queries.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { dateText } from '../../ui/format.ts'
import { ServerWaitDialog } from '../settings/ServerWaitDialog.tsx'
import { useServerWait } from '../settings/use-server-wait.ts'
import classes from './backups.module.css'

interface RestoreDialogProps {
  backup: Backup | null
  /** The backup is looked through, and nothing else happens. */
  checkOnly: boolean
  onClose: () => void
}

/** The whole file is read before anything is offered: the way back is open only when it leads somewhere. */
function Check({ busy, ok, problem }: { busy: boolean; ok: boolean; problem: string | undefined }) {
  const { t } = useTranslation('backups')
  return (
    <div className={classes.check} role="status">
      {busy ? <StatusBadge status="running" label={t('checking')} /> : null}
      {ok ? <StatusBadge status="ok" label={t('checkedOk')} /> : null}
      {problem ? <StatusBadge status="failed" label={t('checkedBad')} /> : null}
      {problem ? <p>{problem}</p> : null}
    </div>
  )
}

export function RestoreDialog({ backup, checkOnly, onClose }: RestoreDialogProps) {
  const { t } = useTranslation('backups')
  const { t: word } = useTranslation()
  const check = useAction(restoreBackup)
  const restore = useAction(restoreBackup)
  // Everything is of another time now, perhaps even who is signed in: the window starts anew as well.
  const { wait, begin } = useServerWait(() => globalThis.location.reload())
  const name = backup?.name
  const { mutate: look, reset } = check
  const { reset: forget } = restore
  useEffect(() => {
    reset()
    forget()
    if (name) look({ body: { name, dry_run: true } })
  }, [name, look, reset, forget])
  const go = () => {
    if (!name) return
    const askedAt = performance.now()
    restore.mutate(
      { body: { name } },
      {
        onSuccess: () => {
          begin(askedAt)
          onClose()
        },
      },
    )
  }
  return (
    <>
      <Modal
        opened={backup !== null}
        onClose={onClose}
        title={<b>{checkOnly ? t('checkTitle') : t('restoreTitle')}</b>}
        size={480}
        closeButtonProps={{ 'aria-label': word('close') }}
      >
        {backup ? (
          <Text component="div" size="sm">
            {t('asOf', { at: dateText(new Date(backup.created_at), 'moment') })}
            <br />
            <code className={classes.file}>{backup.name}</code>
          </Text>
        ) : null}
        <Check busy={check.isPending} ok={check.isSuccess} problem={check.error?.message} />
        {checkOnly ? null : (
          <ul className={classes.consequences}>
            <li>{t('restoreText.kept')}</li>
            <li>{t('restoreText.later')}</li>
            <li>{t('restoreText.runs')}</li>
            <li>{t('restoreText.signIn')}</li>
          </ul>
        )}
        {restore.error ? (
          <Group gap={8} mt={8} wrap="nowrap" role="alert" c="var(--hg-status-failed-text)">
            <IconAlertTriangle size={15} aria-hidden />
            <Text size="sm">{restore.error.message}</Text>
          </Group>
        ) : null}
        <Group justify="flex-end" mt={16} gap={8}>
          <Button variant="default" onClick={onClose} disabled={restore.isPending} data-autofocus>
            {checkOnly ? word('close') : word('form.cancel')}
          </Button>
          {checkOnly ? null : (
            <Button color="red.9" loading={restore.isPending} disabled={!check.isSuccess} onClick={go}>
              {t('restoreConfirm')}
            </Button>
          )}
        </Group>
      </Modal>
      <ServerWaitDialog wait={wait} />
    </>
  )
}
