import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import classes from './triggers.module.css'

/** The address of a webhook, which is told once. */
export function HookAddress({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('triggers')
  const address = `${globalThis.location.origin}/api/hooks/${token}`
  const line = `curl -X POST -H 'Content-Type: application/json' -d '{}' ${address}`
  return (
    <>
      <p style={{ margin: 0 }}>{t('event.madeText')}</p>
      <div className={classes.address}>
        <code data-testid="hook-address">{address}</code>
        <CopyIcon value={address} />
      </div>
      <div className={classes.address}>
        <code>{line}</code>
        <CopyIcon value={line} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('event.done')}
        </Button>
      </Group>
    </>
  )
}
