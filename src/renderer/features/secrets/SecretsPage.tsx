import { notifications } from '@mantine/notifications'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getServerInfo } from '../../../contract/server.ts'
import { type SecretsState, getSecretsState, rotateSecretsKey } from '../../../contract/server-config.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import settingsClasses from '../settings/settings.module.css'
import { LostSecrets } from './LostSecrets.tsx'

function Facts({ state }: { state: SecretsState }) {
  const { t } = useTranslation('secrets')
  const info = useOperation(getServerInfo).data
  const file =
    state.key_place === 'file' && info
      ? `${info.data_dir}${info.platform.startsWith('win32') ? '\\' : '/'}secret.key`
      : null
  return (
    <dl className={settingsClasses.facts}>
      <dt>{t('place')}</dt>
      <dd>{t(`places.${state.key_place}`)}</dd>
      {file === null ? null : (
        <>
          <dt>{t('file')}</dt>
          <dd>
            <code>{file}</code>
            <CopyIcon value={file} />
          </dd>
        </>
      )}
      <dt>{t('keyId')}</dt>
      <dd>
        <code>{state.key_id}</code>
      </dd>
      <dt>{t('sealed')}</dt>
      <dd>{t('sealedCount', { count: state.sealed })}</dd>
    </dl>
  )
}

/** The key to the secrets, what it does not open, and a new one. */
export function SecretsPage() {
  const { t } = useTranslation('secrets')
  const { can } = useSession()
  const [asking, setAsking] = useState(false)
  const state = useOperation(getSecretsState, {}, { staleTime: 0 })
  const rotate = useAction(rotateSecretsKey, { invalidates: ['getSecretsState'] })
  const close = () => {
    rotate.reset()
    setAsking(false)
  }
  const go = () =>
    rotate.mutate(
      {},
      {
        onSuccess: (after) => {
          close()
          notifications.show({ message: t('rotated', { count: after.sealed, id: after.key_id }) })
        },
      },
    )
  return (
    <SettingsPage
      actions={
        can('rotateSecretsKey') ? (
          <CommandButton
            id="secrets.rotate"
            needsServer
            label={t('rotate')}
            variant="default"
            icon={IconRefresh}
            disabled={!state.data}
            onClick={() => setAsking(true)}
          />
        ) : undefined
      }
    >
      {state.error && !state.data ? (
        <ErrorState what="secrets" error={state.error} onRetry={() => void state.refetch()} />
      ) : null}
      {state.data ? (
        <>
          <p className={settingsClasses.lead}>{t('lead')}</p>
          {state.data.lost.length > 0 ? <LostSecrets state={state.data} /> : null}
          <Facts state={state.data} />
        </>
      ) : null}
      <ConfirmDialog
        opened={asking}
        title={t('rotateTitle')}
        text={t('rotateText', { count: state.data?.sealed ?? 0 })}
        confirmLabel={t('rotateDo')}
        busy={rotate.isPending}
        error={rotate.error?.message}
        onConfirm={go}
        onClose={close}
      />
    </SettingsPage>
  )
}
