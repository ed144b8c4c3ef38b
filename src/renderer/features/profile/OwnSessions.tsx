import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endOtherSessions } from '../../../contract/sessions.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SessionsTable } from './SessionsTable.tsx'
import classes from './profile.module.css'

/** Where one is signed in, this place marked, and the way to end all others at once. */
export function OwnSessions() {
  const { t } = useTranslation('profile')
  const { can } = useSession()
  const [asking, setAsking] = useState(false)
  const end = useAction(endOtherSessions, { invalidates: ['listSessions'] })
  const close = () => {
    end.reset()
    setAsking(false)
  }
  return (
    <>
      <SessionsTable mayEnd={can('endSession')} />
      <div className={classes.foot}>
        <CommandButton
          id="profile.end-other-sessions"
          opens
          needsServer
          label={t('sessions.endOthers')}
          variant="default"
          onClick={() => setAsking(true)}
        />
      </div>
      <ConfirmDialog
        opened={asking}
        title={t('sessions.endOthersTitle')}
        text={t('sessions.endOthersText')}
        confirmLabel={t('sessions.endOthers')}
        danger
        busy={end.isPending}
        error={end.error?.message}
        onClose={close}
        onConfirm={() =>
          end.mutate(
            {},
            {
              onSuccess: ({ ended }) => {
                notifications.show({ message: t('sessions.endedOthers', { count: ended }) })
                close()
              },
            },
          )
        }
      />
    </>
  )
}
